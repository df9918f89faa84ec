import { describe, expect, test } from 'vitest'
import { bounds, renumberTips } from '../../tour.ts'
import { buildRecipe } from '../build/build-recipe.ts'
import { readContent } from '../reading/recipe-content.ts'
import { checkRecipe } from './check-recipe.ts'
import { after, check, config, name, tip, tour } from './sample-recipe.ts'

describe('a value that a site accepts and then breaks on is an error at its location', () => {
  test.each([
    [
      'tour missing from install',
      'recipe.yml',
      (it: string) => it.replace("- 'tour'", "- 'node'"),
      'tour_not_installed recipe.yml install 4',
    ],
    [
      'tips as a list',
      config,
      (it: string) => it.replace(/tips:[^]*/, 'tips:\n  - {id: a}\n'),
      `tips_list ${config} tips 11`,
    ],
    [
      'a key that is not the id',
      config,
      (it: string) => it.replace(/^ {2}menu:/m, '  other:'),
      `key_differs ${config} tips.other.id 21`,
    ],
    [
      'a step without a body',
      config,
      (it: string) => it.replace(/ +body: '<p>menu.*\n/, ''),
      `required ${config} tips.menu.body 20`,
    ],
    [
      'a step without a position',
      config,
      (it: string) => it.replace(/ +position: 'bottom'\n/, ''),
      `required ${config} tips.menu.position 20`,
    ],
    [
      'a step without a weight',
      config,
      (it: string) => it.replace(/ +weight: 2\n/, ''),
      `required ${config} tips.menu.weight 20`,
    ],
    [
      'weight 0',
      config,
      (it: string) => it.replace('weight: 2', 'weight: 0'),
      `weight ${config} tips.menu.weight 24`,
    ],
    [
      'a script',
      config,
      (it: string) => it.replace('<p>menu</p>', '<script>alert(1)</script>'),
      `removed_html ${config} tips.menu.body 27`,
    ],
    [
      'an event handler',
      config,
      (it: string) => it.replace('<p>menu</p>', '<img src=x onerror=alert(1)>'),
      `removed_html ${config} tips.menu.body 27`,
    ],
    [
      'a script address',
      config,
      (it: string) => it.replace('<p>menu</p>', '<a href="java\tscript:x">a</a>'),
      `removed_html ${config} tips.menu.body 27`,
    ],
    ['uuid', config, after('status', "uuid: 'x'"), `site_key ${config} uuid 3`],
    ['_core', config, after('status', '_core: {}'), `site_key ${config} _core 3`],
    [
      'a selector no browser knows',
      config,
      (it: string) => it.replace("'#menu'", "'a[['"),
      `invalid_selector ${config} tips.menu.selector 26`,
    ],
    [
      'no tour module in composer.json',
      'composer.json',
      (it: string) => it.replace('drupal/tour', 'drupal/flag'),
      'required composer.json require.drupal/tour ',
    ],
    [
      'another type of package',
      'composer.json',
      (it: string) => it.replace('drupal-recipe', 'library'),
      'type composer.json type ',
    ],
  ])('%s', (_what, file, edit, expected) => {
    expect(check(file, edit)).toContain(`error ${expected}`)
  })
})

describe('a value that depends on the site is a warning at its location', () => {
  test.each([
    [
      'an unknown route',
      config,
      (it: string) => it.replace('system.admin_content', 'flag.list'),
      `unknown_route ${config} routes[0].route_name 10`,
    ],
    [
      'an address as a route',
      config,
      (it: string) => it.replace('system.admin_content', '/users/*'),
      `path_as_route ${config} routes[0].route_name 10`,
    ],
    [
      'an unknown permission',
      'recipe.yml',
      (it: string) => it.replace("'access tour'", "'access tours'"),
      'unknown_permission recipe.yml config.actions.user.role.authenticated.grantPermissions[0] 11',
    ],
    [
      'a permission that no role has',
      'recipe.yml',
      (it: string) => it.replace("'access tour'", "'access content'"),
      'nobody_may recipe.yml config.actions 8',
    ],
    [
      'strict',
      'recipe.yml',
      (it: string) => it.replace('strict: false', 'strict: true'),
      'strict recipe.yml config.strict 7',
    ],
    [
      'a tour without a step',
      config,
      (it: string) => it.replace(/tips:[^]*/, 'tips: {}\n'),
      `empty ${config} tips 11`,
    ],
    [
      'two steps of one weight',
      config,
      (it: string) => it.replace('weight: 2', 'weight: 1'),
      `same_weight ${config} tips.menu.weight 24`,
    ],
    ['no composer.json', 'composer.json', () => undefined, 'missing_file composer.json  '],
  ])('%s', (_what, file, edit, expected) => {
    expect(check(file, edit)).toContain(`warning ${expected}`)
  })
})

test('input that would take long to check is refused', () => {
  const body = '<b>'.repeat(bounds.sentTags)
  const manySteps = Array.from({ length: 201 }, (_, index) =>
    tip(`s${index}`, { location: 'left', selector: '#a' }),
  )
  const heavy = { ...tour, tips: renumberTips(manySteps.map((one) => ({ ...one, body }))) }
  const codes = checkRecipe(readContent(buildRecipe(name, [heavy]))).map(({ code }) => code)
  expect(codes).toContain('too_many')
  expect(codes.filter((code) => code === 'too_much_markup')).toHaveLength(200)
  const long = check(config, (text) => text.replace("'#menu'", `'${'a'.repeat(2000)}'`))
  expect(long).toContain(`error invalid_selector ${config} tips.menu.selector 26`)
})

test('an edited file is a note, and so is a draft', () => {
  expect(check(config, (text) => text.replace('status: true', 'status: false'))).toEqual([
    `note draft ${config} status 2`,
    'note edited tutti.tour.json  ',
  ])
})

test('files that a site ignores are errors', () => {
  const content = Buffer.from('id: a')
  const strays = ['config/a.yaml', 'config/deep/tour.tour.a.yml', 'tour.tour.a.yml', 'hook.php']
  const found = checkRecipe(
    readContent([...buildRecipe(name, [tour]), ...strays.map((path) => ({ path, content }))]),
  )
  expect(found.map(({ severity, code, file }) => `${severity} ${code} ${file}`)).toEqual([
    'error file_name config/a.yaml',
    'error file_place config/deep/tour.tour.a.yml',
    'error file_place tour.tour.a.yml',
    'warning program hook.php',
  ])
})
