import { Type } from 'typebox'
import { oneLineOrEmpty } from '#kernel/http'
import { Tour } from '../../tour.ts'
import { severities } from '../check/findings.ts'
import { exportActions } from '../export-tour.ts'
import { recipeFormats } from '../pack-recipe.ts'

const closed = { additionalProperties: false }

const oneLine = (description: string, maxLength: number) =>
  Type.String({
    maxLength,
    ...oneLineOrEmpty,
    description,
  })

export const ExportBody = Type.Object(
  {
    action: Type.Enum([...exportActions], {
      default: 'export_only',
      description:
        '`export_only`: files alone. `create_new`: a recipe of this platform as well, which the tour is linked to. `update_existing`: the linked recipe gets the tour as it is now, and is exported with all its tours.',
    }),
    recipe_name: Type.Optional(
      oneLine(
        'What the recipe is called: the tour’s label when nothing is said, or as the linked recipe is.',
        255,
      ),
    ),
    description: Type.Optional(oneLine('What it is for, on one line.', 500)),
    export_format: Type.Optional(
      Type.Enum([...recipeFormats], { description: 'How it is packed; `zip` unless it says otherwise.' }),
    ),
  },
  { ...closed, description: 'How to export. `{}` is a zip without a recipe of this platform.' },
)

export const ExportedFile = Type.Object({
  path: Type.String({ description: 'Below the folder of the recipe.' }),
  size: Type.Integer({ description: 'In bytes.' }),
  sha256: Type.String(),
})

const maybeText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

export const ExportAnswer = Type.Object({
  success: Type.Literal(true),
  action: Type.Enum([...exportActions]),
  export_format: Type.Enum([...recipeFormats]),
  recipe_id: maybeText('The recipe of this platform; null when none was touched.'),
  recipe: Type.Object({
    name: Type.String(),
    machine_name: Type.String({ description: 'The name of its folder.' }),
    files: Type.Array(ExportedFile),
  }),
  filename: Type.String(),
  download_url: Type.String({
    description: 'Where the file is. Whoever has the address can fetch it until it expires.',
  }),
  expires_at: Type.String({ format: 'date-time' }),
})

export const FindingBody = Type.Object({
  severity: Type.Enum([...severities], {
    description:
      '`error`: a site refuses it, or takes it and the tour does not work. `warning`: that depends on the site.',
  }),
  code: Type.String(),
  file: Type.String({ description: 'Below the folder of the recipe.' }),
  path: Type.String({ description: 'Where in the file, such as `tips.welcome.position`.' }),
  line: Type.Unsafe<number | null>({ type: 'integer', nullable: true }),
  message: Type.String(),
})

export const RecipeBody = Type.Object(
  {
    id: Type.String({ description: 'Its machine name, and that of its folder.' }),
    name: Type.String(),
    description: Type.String(),
    tours: Type.Array(Type.Object({ id: Type.String(), label: Type.String(), steps: Type.Integer() }), {
      description: 'The tours in it, as they were when each was last exported.',
    }),
    revision: Type.Integer({ description: 'One more with each export.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: maybeText('Who exported to it last.'),
  },
  { description: 'A recipe that tours are exported to.' },
)

/** A value to import or to check: a recipe as JSON, or a file in Base64. */
export const CheckBody = Type.Object(
  {
    recipe: Type.Unsafe<string | Readonly<Record<string, unknown>>>({
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'object', additionalProperties: true },
      ],
      description: 'A recipe exported as JSON; or a zip, a tar.gz or a JSON file in Base64.',
    }),
  },
  closed,
)

export const ReadTour = Type.Pick(Tour, ['id', 'label', 'status', 'launch', 'routes', 'tips'], {
  description: 'A tour, as it can be imported.',
})
