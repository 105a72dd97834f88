/** Every operation, explicitly. REST, OpenAPI and MCP are loops over this list. */
import type { Operation } from './operation.js'
import getHealth from './operations/health/getHealth.js'
import getHealthV1 from './operations/health/getHealthV1.js'
import getMeta from './operations/health/getMeta.js'
import createKey from './operations/keys/createKey.js'
import getIdentity from './operations/keys/getIdentity.js'
import listMyKeys from './operations/keys/listMyKeys.js'
import revokeKey from './operations/keys/revokeKey.js'
import listTiers from './operations/billing/listTiers.js'
import getBlock from './operations/blocks/getBlock.js'
import getLatestBlock from './operations/blocks/getLatestBlock.js'
import listBlocks from './operations/blocks/listBlocks.js'
import listRecentBlocks from './operations/blocks/listRecentBlocks.js'

export const operations: readonly Operation[] = [
  getHealth, getHealthV1, getMeta,
  createKey, listMyKeys, revokeKey, getIdentity, listTiers,
  getLatestBlock, listRecentBlocks, listBlocks, getBlock,
]
