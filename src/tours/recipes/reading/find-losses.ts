import { findRemovedHtml } from '../../content/find-removed-html.ts'
import { bounds } from '../../tour.ts'
import { tourFileOf } from '../build/tour-yml.ts'
import type { Finding } from '../check/findings.ts'
import type { RecipeTour } from '../recipe-tour.ts'
import type { RecipeContent } from './recipe-content.ts'

/** A tour before its validation. */
interface ImportedContent extends Pick<RecipeTour, 'id' | 'routes'> {
  readonly tips: readonly { readonly id?: string | undefined; readonly body?: string | undefined }[]
}

type Located = Pick<Finding, 'file' | 'path' | 'message'>

/** Finds the content of files that an import drops or uses differently. Dropped content is a warning. */
export function findLosses(content: RecipeContent, tours: readonly RecipeTour[]): Finding[] {
  return [
    ...tours.flatMap(findTourLosses),
    ...content.tours.flatMap(findFileLosses),
    ...findTranslations(content),
  ]
}

/** Finds the parts of a tour that an import drops or uses differently. */
export function findTourLosses({ id, routes, tips }: ImportedContent): Finding[] {
  const file = tourFileOf(id)
  return [
    ...tips.flatMap(({ id: tip = 'step', body = '' }) => {
      // The import itself refuses bodies with more markup.
      if (body.split('<', bounds.sentTags + 1).length > bounds.sentTags) return []
      return findRemovedHtml(body).map((removed) => {
        const message = `The import removes ${removed}.`
        return lost('removed_html', { file, path: `tips.${tip}.body`, message })
      })
    }),
    ...routes.flatMap(({ route_name, route_params }, index) => {
      if (route_params === undefined) return []
      const message = `The route parameters are kept for exports. The player shows the tour on every page of ${route_name}; use a path such as /node/add/article to show it on one.`
      return [changed('route_params', { file, path: `routes[${index}].route_params`, message })]
    }),
  ]
}

/** Keys of a tour that have no counterpart here; an export writes the dependencies anew. */
function findFileLosses({ path: file, value }: RecipeContent['tours'][number]): Finding[] {
  if (!(value instanceof Map)) return []
  const dropped = ['module', 'third_party_settings'].filter((key) => value.has(key))
  const tips: unknown = value.get('tips')
  const plugins = [...(tips instanceof Map ? tips : [])].flatMap(([key, tip]) => {
    const plugin: unknown = tip instanceof Map ? tip.get('plugin') : undefined
    return typeof plugin !== 'string' || plugin === 'text' ? [] : [{ key: String(key), plugin }]
  })
  return [
    ...dropped.map((key) => lost('key_dropped', { file, path: key, message: `The import drops "${key}".` })),
    ...plugins.map(({ key, plugin }) =>
      lost('plugin_dropped', {
        file,
        path: `tips.${key}.plugin`,
        message: `The import makes a text step of the plugin ${plugin.slice(0, 80)}; its own fields are dropped.`,
      }),
    ),
  ]
}

const translation = /(?:^|\/)language\/[^/]+\/tour\.tour\.[^/]+\.yml$/

/** Translations of a language that no site has, or of a tour that the files do not contain. */
function findTranslations({ paths, tours, translations }: RecipeContent): Finding[] {
  const used = new Set(
    translations.filter(({ id }) => tours.some((tour) => tour.id === id)).map(({ path }) => path),
  )
  return paths
    .filter((path) => translation.test(path) && !used.has(path))
    .map((file) =>
      lost('translation_dropped', { file, path: '', message: 'The import drops this translation.' }),
    )
}

function lost(code: string, rest: Located): Finding {
  return { severity: 'warning', code, line: null, ...rest }
}

function changed(code: string, rest: Located): Finding {
  return { severity: 'note', code, line: null, ...rest }
}
