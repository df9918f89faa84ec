import type { BuiltInFlow } from '#engine'
import { contentReview } from './content-review.ts'
import { publishReady } from './publish-ready.ts'
import { searchPackage } from './search-package.ts'
import { textInsights } from './text-insights.ts'
import { translateAndCheck } from './translate-and-check.ts'

/** What comes with the platform. */
export const builtInWorkflows: readonly BuiltInFlow[] = [
  contentReview,
  publishReady,
  translateAndCheck,
  textInsights,
  searchPackage,
]
