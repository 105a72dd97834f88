/** The tasks of the schedule. Each looks back at all of the index, so it is no part of a batch. */
import type { Config } from '../schemas/config.js'
import { deriveLabels } from '../stages/index/classes/deriveLabels.js'
import { train } from '../stages/index/predictions/train.js'
import { computeLeaders } from '../stages/leaders/computeLeaders.js'
import type { Task } from './schedule.js'

export const tasks = (config: Config): readonly Task[] => [
  { name: 'labels', everySeconds: config.LABELS_EVERY_SECONDS, run: async (store, chain) => {
    const { ran, ...done } = await deriveLabels(store, chain)
    return ran ? done : null
  } },
  { name: 'predictions', everySeconds: config.TRAIN_EVERY_SECONDS, run: async (store, chain) => {
    const { ran, ...done } = await train(store, chain)
    return ran ? done : null
  } },
  { name: 'leaders', everySeconds: config.LEADERS_EVERY_SECONDS, run: async (store, chain) => {
    const done = await computeLeaders(store, { chain, height: null })
    return done?.computed === true ? done : null
  } },
]
