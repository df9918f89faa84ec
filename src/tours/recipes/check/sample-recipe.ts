import { noTargeting } from '../../targeting/targeting.ts'
import { renumberTips } from '../../tour.ts'
import { buildRecipe } from '../build/build-recipe.ts'
import { readContent } from '../reading/recipe-content.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import { checkRecipe } from './check-recipe.ts'

export const name = { name: 'Welcome', machineName: 'welcome_recipe', description: 'Shows people around.' }
/** A tour without findings. */
export const tour: RecipeTour = {
  id: 'welcome',
  label: 'Welcome',
  status: true,
  launch: 'auto',
  langcode: 'en',
  translations: [],
  targeting: noTargeting,
  routes: [{ route_name: 'system.admin_content' }],
  tips: renumberTips([
    tip('hello', { location: 'center', selector: '' }),
    tip('menu', { location: 'bottom', selector: '#menu' }),
  ]),
}

export function tip(id: string, where: Pick<RecipeTour['tips'][number], 'location' | 'selector'>) {
  return {
    id,
    label: id,
    body: `<p>${id}</p>`,
    ...where,
    position: null,
    weight: 0,
    route: null,
    candidates: [],
    target_text: null,
    advance: 'next' as const,
  }
}

export const config = 'config/tour.tour.welcome.yml'

/** The findings after an edit of one file; an edit that returns undefined removes the file. */
export function check(file: string, edit: (text: string) => string | undefined) {
  const files = buildRecipe(name, [tour]).flatMap(({ path, content }) => {
    if (path !== file) return [{ path, content }]
    const before = Buffer.from(content).toString()
    const after = edit(before)
    if (after === before) throw new Error('nothing was edited')
    return after === undefined ? [] : [{ path, content: Buffer.from(after) }]
  })
  return checkRecipe(readContent(files)).map(({ severity, code, file: where, path, line }) =>
    [severity, code, where, path, line].join(' '),
  )
}

/** Adds lines after the first line with this prefix. */
export const after =
  (begin: string, ...lines: string[]) =>
  (text: string) =>
    text.replace(new RegExp(`^ *${begin}.*$`, 'm'), (line) => [line, ...lines].join('\n'))
