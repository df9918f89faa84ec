import type { RecipeName } from '../recipe-tour.ts'

/** Composer puts a package of this type into the folder of recipes. Older releases refuse `config.strict`. */
export function writeComposerJson({ machineName, description }: RecipeName): string {
  const content = {
    name: `tutti-tours/${machineName}`,
    description,
    type: 'drupal-recipe',
    require: { 'drupal/core': '^10.4 || ^11.1', 'drupal/tour': '^2.0' },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}
