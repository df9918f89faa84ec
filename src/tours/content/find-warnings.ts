import { Type } from 'typebox'
import type { Tour } from '../tour.ts'

export const Warning = Type.Object({
  field: Type.String({ description: 'Where, such as `tips[2].body`.' }),
  message: Type.String(),
  code: Type.String(),
})

/** What keeps a tour from being worth showing, although it can be stored. */
export function findWarnings({ routes, tips }: Pick<Tour, 'routes' | 'tips'>) {
  const warnings: { field: string; message: string; code: string }[] = []
  if (tips.length === 0) warnings.push({ field: 'tips', message: 'The tour has no step yet.', code: 'empty' })
  if (routes.length === 0) {
    warnings.push({
      field: 'routes',
      message: 'The tour has no route, so no page shows it.',
      code: 'no_route',
    })
  }
  for (const [index, { label, body }] of tips.entries()) {
    if (body !== '') continue
    warnings.push({ field: `tips[${index}].body`, message: `“${label}” says nothing yet.`, code: 'empty' })
  }
  return warnings
}
