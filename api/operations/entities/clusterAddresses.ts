/** What an entity has by its clusters, beside the addresses that registers name. */
import { z } from 'zod'

export const clusterAddresses = z.number().int().describe('Further addresses, which no label names, in clusters of its name, as known now')
