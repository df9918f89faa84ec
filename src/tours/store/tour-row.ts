import type { Tour } from '../tour.ts'

export interface TourRow extends Omit<Tour, 'created_at' | 'updated_at'> {
  readonly created_at: Date
  readonly updated_at: Date
}

export const tourColumns = `
  id, label, status, routes, tips, recipe_id, launch, revision, created_at, updated_at, updated_by_name
`

export function toTour(row: TourRow): Tour {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
