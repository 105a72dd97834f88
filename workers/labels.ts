/** What the API uses of labels: their rules, their levels of confidence, and tag packs that are sent. */
export { importTagPack, type Imported } from '../stages/enrich/registers/importTagPack.js'
export { addressClasses, confidenceLevels } from '../stages/enrich/registers/classes.js'
export { rules } from '../stages/index/classes/rules.js'
