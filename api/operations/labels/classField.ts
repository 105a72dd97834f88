/** Classes of addresses as inputs: a name that nobody gives is refused, since its empty answer would look like evidence. */
import { z } from 'zod'
import { addressClasses, rules } from '../../../workers/labels.js'

const given: readonly string[] = addressClasses
/** Classes that registers and imports give, which are those that movements are stored with. */
export const registerClasses = [...given].sort()
/** These and what rules find. */
export const allClasses = [...new Set([...given, ...rules.map(({ classification }) => classification)])].sort()

/** An optional class of `classes`, in lower case; letter case does not matter. */
export const classField = (classes: readonly string[]) => z.string().min(1).max(32).toLowerCase().refine((name) => classes.includes(name), { message: `no such class; there are ${classes.join(', ')}` }).optional()
