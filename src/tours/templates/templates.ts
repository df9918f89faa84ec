import { Type } from 'typebox'
import { Route, Tip } from '../tour.ts'
import { basic } from './basic.ts'
import { configuration } from './configuration.ts'
import { contentCreation } from './content-creation.ts'
import { siteBuilding } from './site-building.ts'
import type { TourTemplate } from './template.ts'

export const Template = Type.Object(
  {
    id: Type.String({ description: 'Id of the template.' }),
    label: Type.String(),
    description: Type.String({ description: 'Purpose and audience of the template.' }),
    routes: Type.Array(Route),
    tips: Type.Array(Tip, { description: 'Steps of the template.' }),
  },
  { description: 'A template for tours.' },
)

export const templates: readonly TourTemplate[] = [basic, contentCreation, siteBuilding, configuration]

export function findTemplate(id: string): TourTemplate | undefined {
  return templates.find((template) => template.id === id)
}
