import { describe, expect, test } from 'vitest'
import { buildRecipe } from '../build/build-recipe.ts'
import { readContent } from '../reading/recipe-content.ts'
import { checkRecipe } from './check-recipe.ts'
import { after, check, config, name, tour } from './sample-recipe.ts'

test('an exported recipe has no findings', () => {
  expect(checkRecipe(readContent(buildRecipe(name, [tour])))).toEqual([])
})

describe('a value that a site refuses is an error at its location', () => {
  test.each([
    [
      'position center',
      config,
      (it: string) => it.replace("'bottom'", "'center'"),
      `unknown_position ${config} tips.menu.position 25`,
    ],
    [
      'an unknown key of a step',
      config,
      after('weight: 1', '    colour: red'),
      `unknown_key ${config} tips.hello.colour 17`,
    ],
    [
      'the old location',
      config,
      after('weight: 1', '    location: top'),
      `removed_key ${config} tips.hello.location 17`,
    ],
    [
      'an empty selector',
      config,
      (it: string) => it.replace("'#menu'", "''"),
      `blank ${config} tips.menu.selector 26`,
    ],
    [
      'an unknown plugin',
      config,
      (it: string) => it.replace("'text'", "'image'"),
      `unknown_plugin ${config} tips.hello.plugin 14`,
    ],
    [
      'an id in upper case',
      config,
      (it: string) => it.replace("id: 'welcome'", "id: 'Welcome'"),
      `pattern ${config} id 7`,
    ],
    [
      'a blank label',
      config,
      (it: string) => it.replace("label: 'Welcome'", "label: ' '"),
      `blank ${config} label 8`,
    ],
    [
      'a label of two lines',
      config,
      (it: string) => it.replace("label: 'Welcome'", 'label: "a\\nb"'),
      `one_line ${config} label 8`,
    ],
    [
      'control characters',
      config,
      (it: string) => it.replace("label: 'menu'", 'label: "a\\u0007b"'),
      `control_characters ${config} tips.menu.label 23`,
    ],
    [
      'control characters in a body',
      config,
      (it: string) => it.replace("'<p>menu</p>'", '"a\\u0001b"'),
      `control_characters ${config} tips.menu.body 27`,
    ],
    [
      'route_params: null',
      config,
      after('- route_name', '    route_params: null'),
      `type ${config} routes[0].route_params 11`,
    ],
    [
      'a dependency that is not installed',
      config,
      after('- .tour', "      - 'flag'"),
      `not_installed ${config} dependencies.enforced.module[1] 7`,
    ],
    ['an unknown key of the tour', config, after('status', 'colour: red'), `unknown_key ${config} colour 3`],
    [
      'an unknown key of the recipe',
      'recipe.yml',
      after('type', 'colour: red'),
      'unknown_key recipe.yml colour 4',
    ],
    [
      'a recipe without a name',
      'recipe.yml',
      (it: string) => it.replace(/^name.*\n/, ''),
      'required recipe.yml name 1',
    ],
    [
      'a blank description',
      'recipe.yml',
      (it: string) => it.replace(/description: .*/, "description: ''"),
      'blank recipe.yml description 2',
    ],
    ['no recipe.yml', 'recipe.yml', () => undefined, 'missing_file recipe.yml  '],
    [
      'a name of a file that is not the id',
      config,
      (it: string) => it.replace("id: 'welcome'", "id: 'other'"),
      `name_differs ${config} id 7`,
    ],
    ['a broken file', config, () => 'a: b: c', `unreadable ${config}  1`],
  ])('%s', (_what, file, edit, expected) => {
    expect(check(file, edit)).toContain(`error ${expected}`)
  })
})

test('a file that is not UTF-8 text is an error', () => {
  const files = buildRecipe(name, [tour]).map((file) =>
    file.path === config ? { ...file, content: new Uint8Array([0x69, 0xff, 0xfe]) } : file,
  )
  expect(checkRecipe(readContent(files))).toMatchObject([
    { severity: 'error', code: 'unreadable', file: config, message: 'The file is not UTF-8 text.' },
  ])
})
