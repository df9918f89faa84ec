import { type TSchema, Type } from 'typebox'
import { TargetingInput } from '../targeting/targeting.ts'
import {
  advances,
  bounds,
  idMeans,
  idPattern,
  langcodeMeans,
  langcodePattern,
  launches,
  locations,
  positions,
  RouteParams,
} from '../tour.ts'

const closed = { additionalProperties: false }

const nullableText = (description: string, maxLength: number) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, maxLength, description })

const Id = (description: string) => Type.String({ pattern: idPattern, 'x-means': idMeans, description })

/** `checkLabel` checks the length in characters; this limit only keeps out absurd input. */
const Label = (description: string) => Type.String({ maxLength: 2000, description })

const RecipeId = nullableText('The linked recipe, which an export updates; null or empty: none.', bounds.id)

const Routes = Type.Array(
  Type.Object(
    {
      route_name: Type.String({ maxLength: 2000, description: 'A route name, a path, or `<front>`.' }),
      route_params: Type.Optional(RouteParams),
    },
    closed,
  ),
  { maxItems: bounds.routes, description: 'Pages the tour is shown on.' },
)

const LaunchField = Type.Enum([...launches], {
  description: 'How the tour starts. Default: `auto`.',
})

const Langcode = Type.String({
  pattern: langcodePattern,
  'x-means': langcodeMeans,
  description: 'Language of the texts, such as `en` or `pt-br`.',
})

const Translations = Type.Array(
  Type.Object(
    {
      langcode: Langcode,
      label: Type.Optional(Label('Name of the tour; absent or empty: not translated.')),
      tips: Type.Optional(
        Type.Array(
          Type.Object(
            {
              id: Id('Id of a step of the tour.'),
              label: Type.Optional(Label('Title of the step; absent or empty: not translated.')),
              body: Type.Optional(
                Type.String({
                  maxLength: bounds.sentBody,
                  description: 'HTML as in the body of a step; absent or empty: not translated.',
                }),
              ),
            },
            closed,
          ),
          { maxItems: bounds.steps },
        ),
      ),
    },
    closed,
  ),
  {
    maxItems: bounds.translations,
    description: 'All texts in further languages. Pages in such a language show them.',
  },
)

const SiteId = Type.String({
  maxLength: bounds.id,
  description: 'The site whose pages show the tour. Default: `default`.',
})

export const Revision = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The revision that your change is based on. If the tour has a newer one, the change is refused (409). Same as `If-Match`.',
})

const stepFields = {
  body: Type.Optional(
    Type.String({
      maxLength: bounds.sentBody,
      description: `HTML: p, br, strong, em, b, i, code, pre, ul, ol, li, a, h3, h4, blockquote, tables, img and video are allowed; headings of other levels become h3 or h4, other elements are removed. At most ${bounds.body} characters after that.`,
    }),
  ),
  selector: Type.Optional(
    nullableText('CSS selector of the element; none for a step in the middle of the page.', bounds.selector),
  ),
  location: Type.Optional(
    Type.Enum([...locations], {
      description: 'Position of the step. Default: `bottom` with a selector, else `center`.',
    }),
  ),
  position: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      enum: [...positions, null],
      description:
        'A more precise position in the words of Drupal, such as `top-start` or `auto`. Dropped when `location` is another side.',
    }),
  ),
  route: Type.Optional(nullableText('One of the routes of the tour; null: all of them.', 2000)),
  candidates: Type.Optional(
    Type.Array(Type.String({ maxLength: bounds.selector }), {
      maxItems: bounds.candidates,
      description: 'Fallback selectors, tried in this order when `selector` matches nothing.',
    }),
  ),
  target_text: Type.Optional(
    nullableText(`Text of the element; the first ${bounds.targetText} characters are stored.`, 20_000),
  ),
  advance: Type.Optional(
    Type.Enum([...advances], {
      description: 'What continues the step besides its buttons. Default: `next`, nothing else.',
    }),
  ),
  weight: Type.Optional(
    Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'Position of the step, from 1.' }),
  ),
}

const TipInput = Type.Object(
  {
    id: Type.Optional(Id('Default: derived from the label.')),
    label: Label('Title of the step.'),
    ...stepFields,
  },
  { ...closed, description: 'A step.' },
)

const Tips = Type.Array(TipInput, {
  maxItems: bounds.steps,
  description: 'All steps, ordered by weight when each has one, else as listed.',
})

/** Read-only fields that clients may send back unchanged with the whole tour; they are ignored. */
const readOnlyFields = {
  created_at: Type.Optional(Type.String({ maxLength: 100, description: 'Read-only; ignored.' })),
  updated_at: Type.Optional(Type.String({ maxLength: 100, description: 'Read-only; ignored.' })),
  updated_by_name: Type.Optional(nullableText('Read-only; ignored.', 255)),
}

export const creationMethods = ['visual', 'template', 'import'] as const

export const NewTourBody = Type.Object(
  {
    label: Type.Optional(Label('Name of the tour. Required unless an imported tour has one.')),
    id: Type.Optional(Id('Default: derived from the label.')),
    recipe_id: Type.Optional(RecipeId),
    creation_method: Type.Optional(
      Type.Enum([...creationMethods], {
        description:
          '`visual`: without steps, for the builder. `template`: with the steps of `template`. `import`: from `tour`.',
      }),
    ),
    template: Type.Optional(Type.String({ maxLength: 255, description: 'Id of a template.' })),
    tour: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>> | string>({
        anyOf: [
          { type: 'object', additionalProperties: true },
          { type: 'string', minLength: 1 },
        ],
        description:
          'A tour in the JSON of this API, a recipe exported as JSON, or a recipe as a zip, tar.gz or JSON file in Base64.',
      }),
    ),
    routes: Type.Optional(Routes),
    launch: Type.Optional(LaunchField),
    langcode: Type.Optional(Langcode),
    site_id: Type.Optional(SiteId),
    targeting: Type.Optional(TargetingInput),
  },
  { ...closed, description: 'A new tour, which is a draft.' },
)

export const ChangedTourBody = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 255, description: 'Must be the id in the URL.' })),
    label: Type.Optional(Label('Name of the tour.')),
    status: Type.Optional(
      Type.Boolean({
        description:
          'True publishes the tour, false makes it a draft. A tour without steps cannot be published (422).',
      }),
    ),
    recipe_id: Type.Optional(RecipeId),
    routes: Type.Optional(Routes),
    tips: Type.Optional(Tips),
    launch: Type.Optional(LaunchField),
    langcode: Type.Optional(Langcode),
    translations: Type.Optional(Translations),
    site_id: Type.Optional(SiteId),
    targeting: Type.Optional(TargetingInput),
    revision: Type.Optional(Revision),
    ...readOnlyFields,
  },
  { ...closed, minProperties: 1, description: 'The fields to change. Absent fields stay unchanged.' },
)

/** An imported tour, after its files were read. */
export const ImportedTour = Type.Object(
  {
    id: Type.Optional(Id('Used when it is free, else with a number.')),
    label: Type.Optional(Label('Name of the tour.')),
    status: Type.Optional(Type.Boolean({ description: 'Ignored: an imported tour is a draft.' })),
    recipe_id: Type.Optional(RecipeId),
    routes: Type.Optional(Routes),
    tips: Type.Optional(Tips),
    launch: Type.Optional(LaunchField),
    langcode: Type.Optional(Langcode),
    translations: Type.Optional(Translations),
    site_id: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Ignored: the request chooses the site of an imported tour.',
      }),
    ),
    targeting: Type.Optional(TargetingInput),
    revision: Type.Optional(Type.Integer()),
    ...readOnlyFields,
  },
  closed,
)

export const StepBody = Type.Object(
  {
    stepId: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Id of the step; `new-step` adds one.',
    }),
    stepData: Type.Object(
      { title: Type.Optional(Label('Title of the step. Required for a new step.')), ...stepFields },
      { ...closed, description: 'The fields of the step. For a stored step, absent fields stay unchanged.' },
    ),
    revision: Type.Optional(Revision),
  },
  closed,
)

export const ReorderBody = Type.Object(
  {
    order: Type.Array(
      Type.Union([
        Type.String({ maxLength: 255 }),
        Type.Object(
          {
            id: Type.String({ maxLength: 255 }),
            weight: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
          },
          closed,
        ),
      ]),
      {
        maxItems: 4 * bounds.steps,
        description:
          'Every step of the tour once, as its id or as an object with its id. Ordered by weight when every entry has one, else as listed.',
      },
    ),
    revision: Type.Optional(Revision),
  },
  closed,
)

export const revisionQuery = Type.Object({ revision: Type.Optional(Revision) })

const nameInPath = (description: string) => Type.String({ maxLength: 255, description })

export const tourParams = Type.Object({ tour: nameInPath('The machine name of the tour.') })

export const stepParams = Type.Object({
  tour: nameInPath('The machine name of the tour.'),
  step_id: nameInPath('The id of the step.'),
})

export const templateParams = Type.Object({ template: nameInPath('The id of the template.') })

/** The schema of a successful response. */
export const successResponse = <Fields extends Record<string, TSchema>>(
  fields: Fields,
  description: string,
) => Type.Object({ success: Type.Literal(true), ...fields }, { description })
