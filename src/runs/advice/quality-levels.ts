export const qualityLevels = ['draft', 'standard', 'high', 'premium'] as const
export type QualityLevel = (typeof qualityLevels)[number]

/** What a level asks of every metric. For texts that models write, the engine asks the same of `high` and `premium`. */
export const levelPoints: Readonly<Record<QualityLevel, number>> = {
  draft: 0,
  standard: 50,
  high: 60,
  premium: 75,
}
