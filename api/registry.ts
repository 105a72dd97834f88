/** Every operation, explicitly. REST, OpenAPI and MCP are loops over this list. */
import { mcpListings } from './mcp/listings.js'
import type { Operation } from './operation.js'
import getHealth from './operations/health/getHealth.js'
import getHealthV1 from './operations/health/getHealthV1.js'
import getMcpFixtures from './operations/health/getMcpFixtures.js'
import getMeta from './operations/health/getMeta.js'
import attachKey from './operations/keys/attachKey.js'
import createKey from './operations/keys/createKey.js'
import createNamedKey from './operations/keys/createNamedKey.js'
import exchangeKey from './operations/keys/exchangeKey.js'
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
import screenAddress from './operations/forensic/screenAddress.js'
import getIndexStats from './operations/rag/getIndexStats.js'
import listChunks from './operations/rag/listChunks.js'
import listBtcFlows from './operations/feed/listBtcFlows.js'
import listTrending from './operations/feed/listTrending.js'
import listRiskyWallets from './operations/wallets/listRiskyWallets.js'
import listWallets from './operations/wallets/listWallets.js'
import listWalletTransfers from './operations/wallets/listWalletTransfers.js'
import listTopWallets from './operations/wallets/listTopWallets.js'
import exploreFlows from './operations/wallets/exploreFlows.js'
import listSmartMoneyFlows from './operations/wallets/listSmartMoneyFlows.js'
import listLeaders from './operations/smartMoney/listLeaders.js'
import listCopyTrades from './operations/smartMoney/listCopyTrades.js'
import getWalletPnl from './operations/smartMoney/getWalletPnl.js'
import getWallet from './operations/wallets/getWallet.js'
import getWalletAllChains from './operations/wallets/getWalletAllChains.js'
import getCanonicalReport from './operations/verify/getCanonicalReport.js'
import getReportPdf from './operations/verify/getReportPdf.js'
import getVerification from './operations/verify/getVerification.js'
import verifyReport from './operations/verify/verifyReport.js'
import traceFunds from './operations/wallets/traceFunds.js'
import getWalletCompliance from './operations/wallets/getWalletCompliance.js'
import getHlAlerts from './operations/perps/getHlAlerts.js'
import getHlAlpha from './operations/perps/getHlAlpha.js'
import getHlCopytrade from './operations/perps/getHlCopytrade.js'
import getHlDepth from './operations/perps/getHlDepth.js'
import getHlFlowHistory from './operations/perps/getHlFlowHistory.js'
import getHlFunding from './operations/perps/getHlFunding.js'
import getHlInsiderTrades from './operations/perps/getHlInsiderTrades.js'
import getHlPositions from './operations/perps/getHlPositions.js'
import getHlPulse from './operations/perps/getHlPulse.js'
import getHlRecent from './operations/perps/getHlRecent.js'
import getHlSignalLog from './operations/perps/getHlSignalLog.js'
import getHlSignals from './operations/perps/getHlSignals.js'
import getHlStrategies from './operations/perps/getHlStrategies.js'
import getHlStyledTraders from './operations/perps/getHlStyledTraders.js'
import getHlSuspects from './operations/perps/getHlSuspects.js'
import getHlTrader from './operations/perps/getHlTrader.js'
import getHlTraders from './operations/perps/getHlTraders.js'
import getOverview from './operations/dashboard/getOverview.js'
import getChains from './operations/dashboard/getChains.js'
import getGas from './operations/dashboard/getGas.js'
import listDeadLetters from './operations/dashboard/listDeadLetters.js'
import listIntents from './operations/dashboard/listIntents.js'
import listLogs from './operations/dashboard/listLogs.js'
import listQueues from './operations/dashboard/listQueues.js'
import listTxs from './operations/dashboard/listTxs.js'
import listWhaleTxs from './operations/dashboard/listWhaleTxs.js'
import listExchangeFlows from './operations/dashboard/listExchangeFlows.js'
import listStablecoins from './operations/dashboard/listStablecoins.js'
import listSwapPairs from './operations/dashboard/listSwapPairs.js'
import listAlerts from './operations/dashboard/listAlerts.js'
import listIncidents from './operations/dashboard/listIncidents.js'
import getMarket from './operations/dashboard/getMarket.js'
import backfill from './operations/pipeline/backfill.js'
import getPipelineStatus from './operations/pipeline/getPipelineStatus.js'
import pausePipeline from './operations/pipeline/pausePipeline.js'
import pauseStage from './operations/pipeline/pauseStage.js'
import redrive from './operations/pipeline/redrive.js'
import resumePipeline from './operations/pipeline/resumePipeline.js'
import resumeStage from './operations/pipeline/resumeStage.js'
import getAgentIdentity from './operations/agents/getAgentIdentity.js'
import getAgentsSummary from './operations/agents/getAgentsSummary.js'
import listAgents from './operations/agents/listAgents.js'
import createTag from './operations/tags/createTag.js'
import deleteTag from './operations/tags/deleteTag.js'
import listAddressLabels from './operations/tags/listAddressLabels.js'
import listEventTags from './operations/tags/listEventTags.js'
import countWaitlist from './operations/trust/countWaitlist.js'
import getPublicAlarm from './operations/trust/getPublicAlarm.js'
import getTrust from './operations/trust/getTrust.js'
import joinWaitlist from './operations/trust/joinWaitlist.js'
import startPipeline from './operations/pipeline/startPipeline.js'
import stopPipeline from './operations/pipeline/stopPipeline.js'
import callContract from './operations/rpc/callContract.js'
import callNode from './operations/rpc/callNode.js'
import getBalance from './operations/rpc/getBalance.js'
import getBlockRaw from './operations/rpc/getBlockRaw.js'
import getCode from './operations/rpc/getCode.js'
import getFeeHistory from './operations/rpc/getFeeHistory.js'
import getLogs from './operations/rpc/getLogs.js'
import getNonce from './operations/rpc/getNonce.js'
import getReceipt from './operations/rpc/getReceipt.js'
import getStorageAt from './operations/rpc/getStorageAt.js'
import getTransaction from './operations/rpc/getTransaction.js'
import getLabels from './operations/labels/getLabels.js'
import importLabels from './operations/labels/importLabels.js'
import listLabelChanges from './operations/labels/listLabelChanges.js'
import listLabelRules from './operations/labels/listLabelRules.js'
import getMev from './operations/mev/getMev.js'
import listMev from './operations/mev/listMev.js'
import listMevSearchers from './operations/mev/listMevSearchers.js'
import listEntities from './operations/entities/listEntities.js'
import getEntity from './operations/entities/getEntity.js'
import getNetworkSummary from './operations/network/getNetworkSummary.js'
import askBlockchain from './operations/rag/ask/askBlockchain.js'
import getToken from './operations/tokens/getToken.js'
import listCandles from './operations/tokens/listCandles.js'
import listPredictions from './operations/predictions/listPredictions.js'
import listEmergingTokens from './operations/tokens/listEmergingTokens.js'
import listTokensEmerging from './operations/tokens/listTokensEmerging.js'
import listIntelligenceEmerging from './operations/tokens/listIntelligenceEmerging.js'
import exportSql from './operations/sql/exportSql.js'
import getSqlSchema from './operations/sql/getSqlSchema.js'
import runSql from './operations/sql/runSql.js'

export const operations: readonly Operation[] = [
  getHealth, getHealthV1, getMeta, getMcpFixtures,
  createKey, createNamedKey, attachKey, exchangeKey, listMyKeys, revokeKey, getIdentity, listTiers,
  getLatestBlock, listRecentBlocks, listBlocks, getBlock,
  listWhales,
  listFeed, getFeedBlock, listHops, listSwaps,
  listChunks, getIndexStats,
  listBtcFlows, listRiskyWallets, getWalletCompliance, traceFunds,
  getVerification, verifyReport, getCanonicalReport, getReportPdf,
  screenAddress,
  getHlRecent, getHlPulse, getHlTraders, getHlStyledTraders, getHlTrader, getHlPositions, getHlFunding, getHlDepth, getHlFlowHistory,
  getHlAlerts, getHlSignals, getHlSignalLog, getHlStrategies, getHlAlpha, getHlCopytrade, getHlSuspects, getHlInsiderTrades,
  getOverview, getChains, listQueues, listDeadLetters, listLogs, listTxs, listWhaleTxs, listIntents, getGas,
  getPipelineStatus, startPipeline, stopPipeline, pausePipeline, resumePipeline, pauseStage, resumeStage, backfill, redrive,
  listExchangeFlows, listStablecoins, listSwapPairs, listAlerts, listIncidents, getMarket,
  listAgents, getAgentsSummary, getAgentIdentity,
  createTag, listEventTags, deleteTag, listAddressLabels,
  getPublicAlarm, getTrust, joinWaitlist, countWaitlist,
  listTrending,
  getNetworkSummary, askBlockchain,
  getBalance, getNonce, getCode, getStorageAt, callContract, getTransaction, getReceipt, getLogs, getFeeHistory, getBlockRaw, callNode,
  listWallets, listWalletTransfers, listTopWallets, exploreFlows, listSmartMoneyFlows, getWallet, getWalletAllChains, getWalletPnl, listLeaders, listCopyTrades,
  listMev, getMev, listMevSearchers,
  listEntities, getEntity,
  listLabelChanges, listLabelRules, getLabels, importLabels,
  listEmergingTokens, listTokensEmerging, listIntelligenceEmerging, listCandles, getToken, listPredictions,
  getSqlSchema, runSql, exportSql,
  ...mcpListings(() => operations),
]
