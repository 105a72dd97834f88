/**
 * What a statement is made of, as the server's own parser tells it (EXPLAIN AST), against what an analyst may write. The rights of the
 * analyst's user keep tables, writes and sources out of reach; functions have no rights (file() reads files for anybody), clauses neither.
 */
import { AppError } from '../../schemas/errors.js'

export interface Allowed {
  /** Functions, in lower case; of them those that may carry combinators (sumIf, uniqArrayIf). */
  readonly functions: ReadonlySet<string>
  readonly aggregates: ReadonlySet<string>
  /** Functions that look for one text in another. */
  readonly searching: ReadonlySet<string>
  /** Published views, and the database they are in. */
  readonly views: ReadonlySet<string>
  readonly database: string
}

/** 403: the statement is no single SELECT over published views. */
export const refused = (what: string): AppError => new AppError('SQL_REFUSED', what, {
  status: 403, body: { hint: 'One SELECT over the views that get_sql_schema (GET /v1/sql/schema) lists, without SETTINGS, FORMAT and INTO OUTFILE: the answer\'s format is a field of the request.' },
})

const kinds: ReadonlySet<string> = new Set([
  'SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'SelectQuery', 'ExpressionList', 'Function', 'Literal', 'Identifier', 'TableIdentifier', 'Asterisk', 'QualifiedAsterisk', 'Subquery', 'WithElement',
  'ColumnsTransformerList', 'ColumnsExceptTransformer', 'ColumnsReplaceTransformer', 'ColumnsReplaceTransformer::Replacement', 'ColumnsRegexpMatcher', 'ColumnsListMatcher', 'QualifiedColumnsRegexpMatcher', 'QualifiedColumnsListMatcher',
  'TablesInSelectQuery', 'TablesInSelectQueryElement', 'TableExpression', 'TableJoin', 'ArrayJoin', 'OrderByElement', 'InterpolateElement', 'WindowListElement', 'WindowDefinition', 'DataType',
])
const clauses: Readonly<Record<string, string>> = {
  Set: 'SETTINGS is not possible: limits and formats are set by the service.', QueryParameter: 'Parameters like {name:Type} are not possible: write the value into the statement.',
  ColumnsApplyTransformer: 'APPLY is not possible: name the function in the expression itself.', SampleRatio: 'SAMPLE is not possible on these views.',
}
const atTop: Readonly<Record<string, string>> = { Identifier: 'FORMAT is not possible in the statement: it is a field of the request.', Literal: 'INTO OUTFILE is not possible.' }

/** Syntax that the parser turns into functions, what is left of the unsorted ones, and functions that make rows. */
const also: ReadonlySet<string> = new Set([
  'lambda', 'array', 'tuple', 'untuple', 'exists', 'grouping', 'casewithexpression', 'interval', 'materialize', 'identity', 'transform', 'bar', 'totypename', 'ignore', 'formatreadablesize', 'formatreadabledecimalsize',
  'formatreadablequantity', 'formatreadabletimedelta', 'rownumberinallblocks', 'finalizeaggregation', 'countdigits', 'isconstant', 'numbers', 'values', 'generateseries', 'generate_series', 'view',
])
const combinators = /^(If|Array|Map|Distinct|OrNull|OrDefault|ForEach|Resample|ArgMin|ArgMax|State|SimpleState|Merge|MergeState|Null)+$/i

const isAggregate = (low: string, aggregates: ReadonlySet<string>): boolean => {
  if (aggregates.has(low)) return true
  for (let end = low.length - 2; end > 1; end--) if (aggregates.has(low.slice(0, end)) && combinators.test(low.slice(end))) return true
  return false
}
const mayCall = (name: string, { functions, aggregates, views }: Allowed): boolean => {
  const low = name.toLowerCase()
  return functions.has(low) || also.has(low) || views.has(name) || isAggregate(low, aggregates)
}

/** Whether the identifier at line `at` is what an IN looks into: a table that the tree does not call one. */
const isTableOfIn = (tree: readonly string[], at: number, depth: number): boolean => {
  let left = 0
  for (let above = at - 1; above >= 0; above--) {
    const indent = /^ */.exec(tree[above] ?? '')?.[0].length ?? 0
    if (indent === depth) left++
    if (indent === depth - 2) return left > 0 && /^ *Function \w*in(ignoreset)? /i.test(tree[above] ?? '')
  }
  return false
}

/** Whether the type that the cast at line `at` casts to is written out: one that is computed is not seen here. */
const isTypeWritten = (tree: readonly string[], at: number, depth: number): boolean => {
  let last = ''
  for (let below = at + 2; below < tree.length; below++) {
    const [, indent = '', kind = ''] = /^( *)(\S*)/.exec(tree[below] ?? '') ?? []
    if (indent.length < depth + 2) break
    if (indent.length === depth + 2) last = kind
  }
  return last === 'Literal'
}

/** What the function at line `at` is called with, one line an argument. */
const argumentsAt = (tree: readonly string[], at: number, depth: number): string[] => {
  const found: string[] = []
  for (let below = at + 2; below < tree.length; below++) {
    const indent = /^ */.exec(tree[below] ?? '')?.[0].length ?? 0
    if (indent < depth + 2) break
    if (indent === depth + 2) found.push((tree[below] ?? '').trim())
  }
  return found
}

/** Functions whose work is the product of the sizes of their arguments, beside those that search texts. */
const products: ReadonlySet<string> = new Set(['has', 'indexof', 'countequal', 'hasall', 'hasany', 'hassubstr', 'arrayintersect', 'arrayjaccardindex', 'stringjaccardindex', 'stringjaccardindexutf8', 'extracturlparameter', 'cuturlparameter', 'substringindex', 'substringindexutf8', 'regexpextract', 'regexpposition',
  'mapcontainskeylike', 'mapcontainsvaluelike', 'mapextractkeylike', 'mapextractvaluelike', 'arrayexcept'])
const pads = /^(left|right|l|r)pad(utf8)?$/
/** Functions whose first argument names an aggregate. */
const naming: ReadonlySet<string> = new Set(['arrayreduce', 'arrayreduceinranges', 'initializeaggregation'])
const [longestSought, longestPad] = [1_000, 1_000]
/** Levels of a tree; a call within a call is two. All calls on one block of rows are made before the server looks at the clock. */
const deepest = 300

/**
 * Throws where one call of `name` may run for long: the server looks at the clock between blocks of rows only. A row may hold a text of any length,
 * so what is sought in it is written out and short, and no text or list is made longer than what is in the store by a number alone.
 */
const bound = (name: string, args: readonly string[], allowed: Allowed): void => {
  const low = name.toLowerCase()
  const open = args.filter((line) => !line.startsWith('Literal '))
  if ((allowed.searching.has(low) || products.has(low)) && (open.length > 1 || args.some((line) => line.startsWith('Literal ') && line.length > longestSought))) {
    throw refused(`All arguments of ${name}() but one are written out here, and no longer than ${longestSought} characters.`)
  }
  if (pads.test(low) && !(Number(/^Literal UInt64_(\d+)/.exec(args[1] ?? '')?.[1] ?? Infinity) <= longestPad)) throw refused(`The length in ${name}() is a number up to ${longestPad}, written out.`)
  if (naming.has(low)) {
    const [, aggregate = ''] = /^Literal '(\w+)(?:\([^()]*\))?'/.exec(args[0] ?? '') ?? []
    if (!isAggregate(aggregate.toLowerCase(), allowed.aggregates)) throw refused(`${name}() takes the name of an aggregate that can be used here, written out.`)
  }
}

const leaves: ReadonlySet<string> = new Set(['Identifier', 'TableIdentifier', 'Literal'])
/**
 * Whether `tree` is one tree, each node with the children its line tells of. Names are written into it as they are: one with a line break adds
 * lines, and as every other line stays, they are children that somebody tells nothing of, or those of a leaf.
 */
const isOneTree = (tree: readonly string[]): boolean => {
  // Children that are still to come, of each node above the line.
  const missing: number[] = []
  for (const [at, line] of tree.entries()) {
    const [, indent = '', kind = ''] = /^( *)(\S*)/.exec(line) ?? []
    while (missing.length > indent.length) if (missing.pop() !== 0) return false
    const above = missing.length - 1
    if (missing.length !== indent.length || (at > 0 && above < 0)) return false
    if (above >= 0) missing[above] = (missing[above] ?? 0) - 1
    const children = Number(/ \(children (\d+)\)$/.exec(line)?.[1] ?? 0)
    if (children > 0 && leaves.has(kind)) return false
    missing.push(children)
  }
  return missing.every((count) => count === 0)
}

/** Throws SQL_REFUSED where `tree`, the lines of EXPLAIN AST, has anything that is not `allowed`. What it does not know it refuses. */
export const guard = (tree: readonly string[], allowed: Allowed): void => {
  if (!/^Select(WithUnionQuery|IntersectExceptQuery)\b/.test(tree[0] ?? '')) throw refused('Only one SELECT can be asked.')
  if (!isOneTree(tree)) throw refused('Names hold no line breaks.')
  for (const [at, line] of tree.entries()) {
    const [, indent = '', kind = '', rest = ''] = /^( *)(\S+) ?([\s\S]*)$/.exec(line) ?? []
    const top = indent.length === 1 ? atTop[kind] : undefined
    if (top !== undefined) throw refused(top)
    if (indent.length > deepest) throw refused('The statement is nested too deeply.')
    if (!kinds.has(kind)) throw refused(clauses[kind] ?? 'The statement has a part that is not possible here.')
    const name = rest.replace(/ \(children \d+\)$/, '').replace(/ \(alias [\s\S]*\)$/, '')
    if (kind === 'Function' && !mayCall(name, allowed)) throw refused(`${name.slice(0, 64)}() is not a function that can be used here.`)
    if (kind === 'Function') bound(name, argumentsAt(tree, at, indent.length), allowed)
    // States of aggregates are bytes that the server believes.
    if (/aggregatefunction/i.test(line) || (kind === 'Function' && /cast/i.test(name) && !isTypeWritten(tree, at, indent.length))) throw refused('Casts are to a type that is written out, and to no state of an aggregate.')
    if (kind !== 'TableIdentifier' && kind !== 'Identifier') continue
    const parts = name.split('.')
    if (/^_(database|table)$/.test(parts.at(-1) ?? '')) throw refused(`${parts.at(-1) ?? ''} is no column of a published view.`)
    if (/^(system|information_schema)$/i.test(parts[0] ?? '') && parts.length > 1) throw refused('System tables are not published.')
    if ((kind === 'TableIdentifier' || isTableOfIn(tree, at, indent.length)) && parts.length > 1 && parts[0] !== allowed.database) throw refused(`${name.slice(0, 128)} is not a published view.`)
  }
}
