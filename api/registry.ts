/** Every operation, explicitly. REST, OpenAPI and MCP are loops over this list. */
import { mcpListings } from './mcp/listings.js'
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
import listWhales from './operations/whales/listWhales.js'
import getFeedBlock from './operations/feed/getFeedBlock.js'
import listFeed from './operations/feed/listFeed.js'
import listHops from './operations/feed/listHops.js'
import listSwaps from './operations/feed/listSwaps.js'
import getOverview from './operations/dashboard/getOverview.js'
import getChains from './operations/dashboard/getChains.js'
import listDeadLetters from './operations/dashboard/listDeadLetters.js'
import listLogs from './operations/dashboard/listLogs.js'
import listQueues from './operations/dashboard/listQueues.js'
import backfill from './operations/pipeline/backfill.js'
import getPipelineStatus from './operations/pipeline/getPipelineStatus.js'
import pausePipeline from './operations/pipeline/pausePipeline.js'
import pauseStage from './operations/pipeline/pauseStage.js'
import redrive from './operations/pipeline/redrive.js'
import resumePipeline from './operations/pipeline/resumePipeline.js'
import resumeStage from './operations/pipeline/resumeStage.js'
import startPipeline from './operations/pipeline/startPipeline.js'
import stopPipeline from './operations/pipeline/stopPipeline.js'

export const operations: readonly Operation[] = [
  getHealth, getHealthV1, getMeta,
  createKey, listMyKeys, revokeKey, getIdentity, listTiers,
  getLatestBlock, listRecentBlocks, listBlocks, getBlock,
  listWhales,
  listFeed, getFeedBlock, listHops, listSwaps,
  getOverview, getChains, listQueues, listDeadLetters, listLogs,
  getPipelineStatus, startPipeline, stopPipeline, pausePipeline, resumePipeline, pauseStage, resumeStage, backfill, redrive,
  ...mcpListings(() => operations),
]
