/** The one event that is asked for. */
export const erc20 = [{
  type: 'event', name: 'Transfer',
  inputs: [{ name: 'from', type: 'address', indexed: true }, { name: 'to', type: 'address', indexed: true }, { name: 'value', type: 'uint256', indexed: false }],
}] as const
