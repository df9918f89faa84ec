import { Type } from 'typebox'
import { Route, Tip } from '../tour.ts'
import { basic } from './basic.ts'
import { configuration } from './configuration.ts'
import { contentCreation } from './content-creation.ts'
import { siteBuilding } from './site-building.ts'
import type { TourTemplate } from './template.ts'

export const Template = Type.Object(
  {
    id: Type.String({ description: 'Names the template.' }),
    label: Type.String(),
    description: Type.String({ description: 'Whom a tour made of it is for.' }),
    routes: Type.Array(Route),
    tips: Type.Array(Tip, { description: 'The steps a tour gets.' }),
  },
  { description: 'What a tour can begin with.' },
)

export const templates: readonly TourTemplate[] = [basic, contentCreation, siteBuilding, configuration]

export function findTemplate(id: string): TourTemplate | undefined {
  return templates.find((template) => template.id === id)
}
