/** CSV with quotes (RFC 4180), small enough to be in memory. */
import { parse } from 'csv-parse/sync'
import { AppError } from '../../../../schemas/errors.js'

/** Rows of fields, as many in each as in the first; a byte order mark goes. Throws LIST_UNREADABLE. */
export const readCsv = (text: string): readonly (readonly string[])[] => {
  try {
    return parse(text, { bom: true })
  } catch (thrown) {
    throw new AppError('LIST_UNREADABLE', `The CSV cannot be read: ${(thrown as Error).message}`, { retry: 'never' })
  }
}
