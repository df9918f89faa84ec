import type { BuiltInFlow } from '../flows/seed-built-in.ts'
import { batchClassification } from './batch-classification.ts'
import { contentQualityReview } from './content-quality-review.ts'
import { dataExtraction } from './data-extraction.ts'
import { moderation } from './moderation.ts'
import { seoOptimisation } from './seo-optimisation.ts'
import { summariseAndTranslate } from './summarise-and-translate.ts'

/** What comes with the platform. Nothing of it calls an address outside, and all of it runs without a language model. */
export const builtInFlows: readonly BuiltInFlow[] = [
  contentQualityReview,
  seoOptimisation,
  summariseAndTranslate,
  dataExtraction,
  moderation,
  batchClassification,
]
