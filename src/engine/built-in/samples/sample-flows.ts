import type { BuiltInFlow } from '../../flows/seed-built-in.ts'
import { agentOverMcp } from './agent-over-mcp.ts'
import { answerFromPage } from './answer-from-page.ts'
import { csvToReport } from './csv-to-report.ts'
import { moderateWithReview } from './moderate-with-review.ts'
import { translateFifty } from './translate-fifty.ts'

/**
 * Flows to read, copy and change. In contrast to the other built-in flows they call external addresses, need a language model, or ask a
 * person, and recommendations leave them out.
 */
export const sampleFlows: readonly BuiltInFlow[] = [
  answerFromPage,
  moderateWithReview,
  translateFifty,
  csvToReport,
  agentOverMcp,
]
