/** Logs of the ERC-8004 registries on mainnet, encoded by viem. */
import { keccak256, toHex, type Hex } from 'viem'
import { emitted, type MadeLog } from './madeUp.js'

export const identity: Hex = '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
export const reputation: Hex = '0x8004baa17c55a88189ae136b182e5fda19de9b63'
export const agentsUri = 'https://agents.example/registration.json'

export const registered = (agentId: bigint, agentURI: string, owner: Hex): MadeLog => emitted(identity, 'event Registered(uint256 indexed agentId, string agentURI, address indexed owner)', { agentId, agentURI, owner })
export const metadata = (agentId: bigint, metadataKey: string, metadataValue: Hex): MadeLog =>
  emitted(identity, 'event MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)', { agentId, indexedMetadataKey: metadataKey, metadataKey, metadataValue })
export const uriUpdated = (agentId: bigint, newURI: string, updatedBy: Hex): MadeLog => emitted(identity, 'event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)', { agentId, newURI, updatedBy })
export const moved = (from: Hex, to: Hex, tokenId: bigint): MadeLog => emitted(identity, 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', { from, to, tokenId })
export const feedback = (agentId: bigint, clientAddress: Hex, feedbackIndex: bigint, value: bigint, valueDecimals: number): MadeLog => emitted(reputation,
  'event NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
  { agentId, clientAddress, feedbackIndex, value, valueDecimals, indexedTag1: 'starred', tag1: 'starred', tag2: '', endpoint: '', feedbackURI: `https://feedback.example/${feedbackIndex}`, feedbackHash: keccak256(toHex('f')) })
export const revoked = (agentId: bigint, clientAddress: Hex, feedbackIndex: bigint): MadeLog =>
  emitted(reputation, 'event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)', { agentId, clientAddress, feedbackIndex })
export const answered = (agentId: bigint, clientAddress: Hex, feedbackIndex: bigint, responder: Hex): MadeLog => emitted(reputation,
  'event ResponseAppended(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, address indexed responder, string responseURI, bytes32 responseHash)',
  { agentId, clientAddress, feedbackIndex, responder, responseURI: 'https://answer.example/', responseHash: keccak256(toHex('r')) })
