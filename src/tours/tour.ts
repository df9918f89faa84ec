import { type Static, Type } from 'typebox'
import { Targeting } from './targeting/targeting.ts'

/** The position of a step relative to its element; `center` is the middle of the page, without an element. */
export const locations = ['top', 'bottom', 'left', 'right', 'center'] as const
export type Location = (typeof locations)[number]

/** How a published tour starts: automatically, after an invitation, or only on request. */
export const launches = ['auto', 'invite', 'manual'] as const
export type Launch = (typeof launches)[number]

/**
 * What continues a step besides its buttons. Unless it is `next`, the visitor can use the element of the step while it is
 * shown: by clicking it, by entering or choosing something in it, or by opening another page with it.
 */
export const advances = ['next', 'click', 'input', 'navigation'] as const
export type Advance = (typeof advances)[number]

/** The limits of a tour. Lengths are in characters. */
export const bounds = {
  id: 64,
  label: 255,
  steps: 50,
  routes: 20,
  routeName: 255,
  /** After sanitising. */
  body: 10_000,
  /** Before sanitising: bounds the time that sanitising takes. */
  sentBody: 50_000,
  /** Opening and closing tags in a body before sanitising. */
  sentTags: 1000,
  selector: 1000,
  candidates: 3,
  targetText: 200,
  /** Sets of route parameters of a route, parameters in a set, and the length of a name or value. */
  paramSets: 20,
  params: 10,
  param: 255,
  translations: 30,
  /** Labels and bodies of all translations of a tour together. */
  translatedText: 500_000,
} as const

/** The positions of Drupal's tour module: a side, or `auto`, perhaps aligned to one end of the element. */
export const positions = (['auto', 'top', 'bottom', 'left', 'right'] as const).flatMap(
  (side) => [side, `${side}-start`, `${side}-end`] as const,
)

/** A language code as Drupal writes it: `en`, `pt-br`, `zh-hans`. */
export const langcodePattern = '^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$'
export const langcodeMeans = 'must be a language code in lower case, such as en, pt-br or zh-hans'
export const defaultLangcode = 'en'

export const idPattern = `^[a-z0-9_-]{1,${bounds.id}}$`
export const idMeans = `must be 1 to ${bounds.id} of a-z, 0-9, _ and -`

export const RouteParams = Type.Array(
  // OpenAPI 3.0 cannot describe the names of fields, so readRoutes checks their length.
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: bounds.param },
    maxProperties: bounds.params,
  }),
  {
    minItems: 1,
    maxItems: bounds.paramSets,
    description:
      'For recipes: the route parameters of a Drupal site with which the tour is shown, such as `{"node_type": "article"}`; several sets are several pages of the route. The player matches the route name alone.',
  },
)

export const Route = Type.Object(
  {
    route_name: Type.String({
      description:
        'A route name that the page declares, or a path that begins with `/`, in which `*` matches anything; `<front>` is `/`.',
    }),
    route_params: Type.Optional(RouteParams),
  },
  { description: 'A page the tour is shown on.' },
)
export type Route = Static<typeof Route>

export const Tip = Type.Object(
  {
    id: Type.String({ description: 'Id of the step, unique within its tour.' }),
    label: Type.String({ description: 'Title shown to visitors. Plain text.' }),
    body: Type.String({ description: 'Text of the step: sanitised HTML.' }),
    selector: Type.String({
      description: 'CSS selector of the element; empty for a step in the middle of the page.',
    }),
    location: Type.Enum([...locations], { description: 'Position relative to the element.' }),
    position: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description:
        'A more precise position than `location`, in the words of Drupal: `top-start`, `auto`; null: none.',
    }),
    weight: Type.Integer({ description: 'Position of the step in the tour, from 1.' }),
    route: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The route of the tour on which the step is shown; null: on all of them.',
    }),
    candidates: Type.Array(Type.String(), {
      description: 'Fallback selectors, tried in this order when `selector` matches nothing.',
    }),
    target_text: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Text of the element when it was selected.',
    }),
    advance: Type.Enum([...advances], {
      description:
        'What continues the step besides its buttons; unless it is `next`, the visitor can use the element. `click`: a click on the element. `input`: something was entered or chosen in it. `navigation`: another page was opened.',
    }),
  },
  { description: 'A step of a tour.' },
)
export type Tip = Static<typeof Tip>

export const Translation = Type.Object(
  {
    langcode: Type.String({ description: 'Language of the texts, such as `de`.' }),
    label: Type.String({ description: 'Name of the tour; empty: not translated.' }),
    tips: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the step.' }),
        label: Type.String({ description: 'Title of the step; empty: not translated.' }),
        body: Type.String({ description: 'Text of the step: sanitised HTML; empty: not translated.' }),
      }),
      { description: 'The translated steps.' },
    ),
  },
  { description: 'The texts of a tour in another language. Texts without a translation stay in its own.' },
)
export type Translation = Static<typeof Translation>

export const Tour = Type.Object(
  {
    id: Type.String({ description: 'Machine name of the tour.' }),
    label: Type.String({ description: 'Name of the tour. Plain text.' }),
    status: Type.Boolean({ description: 'Whether the tour is published.' }),
    routes: Type.Array(Route),
    tips: Type.Array(Tip, { description: 'Steps, ordered by weight.' }),
    recipe_id: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'The linked recipe, which an export updates; null: none.',
    }),
    launch: Type.Enum([...launches], {
      description:
        'How the tour starts: `auto`: by itself; `invite`: after an invitation; `manual`: only on request.',
    }),
    langcode: Type.String({ description: 'Language of the texts, such as `en` or `pt-br`.' }),
    translations: Type.Array(Translation, {
      description:
        'Texts in further languages, ordered by language code. Pages in such a language show them.',
    }),
    site_id: Type.String({ description: 'The site whose pages show the tour.' }),
    targeting: Targeting,
    revision: Type.Integer({ description: 'Increases by one with each change.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Username of the last editor; null for the platform.',
    }),
  },
  { description: 'A guided tour.' },
)
export type Tour = Static<typeof Tour>

/** The editable fields of a tour; the others are maintained by the platform. */
export type TourContent = Pick<
  Tour,
  'label' | 'routes' | 'tips' | 'recipe_id' | 'launch' | 'langcode' | 'translations' | 'site_id' | 'targeting'
>

/** Sets the weights of the steps to their positions in the list. */
export function renumberTips(tips: readonly Tip[]): Tip[] {
  return tips.map((tip, index) => ({ ...tip, weight: index + 1 }))
}
