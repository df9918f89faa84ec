import type { AgentDefinition } from '../definition.ts'
import { complianceChecker } from './compliance-checker.ts'
import { contentQualityReviewer } from './content-quality-reviewer.ts'
import { copyEditor } from './copy-editor.ts'
import { dataExtractor } from './data-extractor.ts'
import { factAndNumberChecker } from './fact-and-number-checker.ts'
import { formatConverter } from './format-converter.ts'
import { keywordAnalyst } from './keyword-analyst.ts'
import { metaWriter } from './meta-writer.ts'
import { readabilityAnalyst } from './readability-analyst.ts'
import { sentimentAndTopicsAnalyst } from './sentiment-and-topics-analyst.ts'
import { seoAuditor } from './seo-auditor.ts'
import { structureAndLinkChecker } from './structure-and-link-checker.ts'
import { summaryWriter } from './summary-writer.ts'
import { translator } from './translator.ts'

/** The agents that come with the platform. */
export const builtInAgents: readonly AgentDefinition[] = [
  contentQualityReviewer,
  summaryWriter,
  copyEditor,
  seoAuditor,
  metaWriter,
  keywordAnalyst,
  factAndNumberChecker,
  complianceChecker,
  structureAndLinkChecker,
  translator,
  formatConverter,
  dataExtractor,
  readabilityAnalyst,
  sentimentAndTopicsAnalyst,
]
