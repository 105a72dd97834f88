/** The bundled registers (sanctions, labels, tokens) into the store. */
import type { Store } from '../../schemas/clickhouse.js'

/** Loads what changed; resolves to a line that says what is there. */
export const registersInto = async (_store: Store): Promise<string> => Promise.resolve('No registers are bundled yet.')
