import type { BuiltInFlow } from '../flows/seed-built-in.ts'
import { batchClassification, moderation } from './classification-flows.ts'
import { contentQualityReview, seoOptimisation } from './content-flows.ts'
import { dataExtraction, summariseAndTranslate } from './document-flows.ts'

/** What comes with the platform. Nothing of it calls an address outside, and all of it runs without a language model. */
export const builtInFlows: readonly BuiltInFlow[] = [
  contentQualityReview,
  seoOptimisation,
  summariseAndTranslate,
  dataExtraction,
  moderation,
  batchClassification,
]
