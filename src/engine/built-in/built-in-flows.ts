import type { BuiltInFlow } from '../flows/seed-built-in.ts'
import { batchClassification, moderation } from './classification-flows.ts'
import { contentQualityReview, seoOptimisation } from './content-flows.ts'
import { dataExtraction, summariseAndTranslate } from './document-flows.ts'

/** The flows that come with the platform. None of them calls an external address, and all of them run without a language model. */
export const builtInFlows: readonly BuiltInFlow[] = [
  contentQualityReview,
  seoOptimisation,
  summariseAndTranslate,
  dataExtraction,
  moderation,
  batchClassification,
]
