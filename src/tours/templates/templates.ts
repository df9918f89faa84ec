import { Type } from 'typebox'
import { Route, Tip } from '../tour.ts'
import { configuration } from './configuration.ts'
import { contentCreation } from './content-creation.ts'
import { siteBuilding } from './site-building.ts'
import { readTemplate, type TemplateDefinition, type TourTemplate } from './template.ts'

/** A short welcome tour for any front page. */
const basic: TemplateDefinition = {
  id: 'basic',
  label: 'Basic',
  description: 'A short welcome tour for first-time visitors: navigation, content, help and next steps.',
  routes: ['<front>'],
  steps: [
    {
      id: 'welcome',
      label: 'Welcome',
      location: 'center',
      body: '<p>This tour shows you the main parts of the site and takes about a minute.</p><p>Use <strong>Next</strong> or the arrow keys to continue. <strong>Escape</strong> ends the tour at any time.</p>',
    },
    {
      id: 'find_your_way',
      label: 'Navigation',
      location: 'bottom',
      selector: 'header nav',
      candidates: ['nav[role="navigation"]', 'nav'],
      body: '<p>The menu links to every part of the site and stays in the same place on each page. The site name takes you back to this page.</p>',
    },
    {
      id: 'what_is_new',
      label: 'Latest content',
      location: 'top',
      selector: 'main',
      candidates: ['[role="main"]', '#main-content'],
      body: '<p>The latest content comes first. Select a headline to open the full article.</p>',
    },
    {
      id: 'get_help',
      label: 'Help and contact',
      location: 'top',
      selector: 'footer',
      candidates: ['[role="contentinfo"]'],
      body: '<p>Contact details and terms are in the footer. If something does not work, please let us know.</p>',
    },
    {
      id: 'all_set',
      label: 'Next steps',
      location: 'center',
      body: '<p>To get started:</p><ol><li>sign in or create an account,</li><li>complete your profile,</li><li>open a page that interests you.</li></ol><p>You can start this tour again at any time.</p>',
    },
  ],
}

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

const definitions = [basic, contentCreation, siteBuilding, configuration]
let templates: readonly TourTemplate[] | undefined

/** All templates. They are validated at the first use, which takes longer than a start should. */
export function listTemplates(): readonly TourTemplate[] {
  return (templates ??= definitions.map(readTemplate))
}

export function findTemplate(id: string): TourTemplate | undefined {
  return listTemplates().find((template) => template.id === id)
}
