import type { PublicClient } from 'viem'
export const tokenDescriber = (_clients: readonly PublicClient[]) => async (): Promise<void> => undefined
