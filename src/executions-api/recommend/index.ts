export {
  costFactor,
  type Factor,
  type FitFactor,
  meanQuality,
  median,
  qualityFactor,
  speedFactor,
  strongestFactors,
  successFactor,
  type TrackRecord,
  weightedMean,
} from './factors.ts'
export { languageCodeOf } from './language-code.ts'
export {
  asPoints,
  exceededLimits,
  type Limits,
  type QualityLevel,
  qualityLevels,
  qualityPoints,
  type RiskTolerance,
  riskTolerances,
  timeAvailable,
  tooUncertain,
} from './limits.ts'
export { canComplete, rememberLookups, tokensIn, warnOfUnusedProviders } from './models.ts'
export {
  baselineOf,
  combinedEstimate,
  explainScore,
  type Priority,
  priorityNames,
  priorityWeights,
  rankCandidates,
  type Score,
  scoreCandidate,
} from './score.ts'
export { likelyRate, rateBounds } from './success-rates.ts'
export { shareIn, wordsOf } from './words.ts'
