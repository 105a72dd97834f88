/** What an entity has by its clusters, beside the addresses that registers name. */
import { z } from 'zod'

export const clusterAddresses = z.number().int().describe('Further addresses of Bitcoin, which no label names: in clusters that go by its name, as known now (inputs spent together mostly show one owner)')
