export const priorityNames = ['quality', 'cost', 'speed', 'balanced'] as const
export type AdvicePriority = (typeof priorityNames)[number]

/** How much each thing counts for whoever wants most of all this. */
export const priorityWeights: Readonly<
  Record<AdvicePriority, Readonly<Record<'fit' | 'success' | 'quality' | 'cost' | 'speed', number>>>
> = {
  balanced: { fit: 0.4, success: 0.2, quality: 0.15, cost: 0.125, speed: 0.125 },
  quality: { fit: 0.4, success: 0.2, quality: 0.3, cost: 0.05, speed: 0.05 },
  cost: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.4, speed: 0.05 },
  speed: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.05, speed: 0.4 },
}
