import { expect, test } from 'vitest'
import { checkSelector } from '../content/check-selector.ts'
import { cleanBody } from '../content/clean-body.ts'
import { listTemplates } from './templates.ts'

/** Routes of all supported Drupal versions. */
const knownRoutes = new Set([
  '<front>',
  'block.admin_display',
  'entity.node_type.collection',
  'entity.user.collection',
  'entity.view.collection',
  'node.add',
  'node.add_page',
  'system.admin_config',
  'system.admin_content',
  'system.admin_structure',
  'system.modules_list',
  'system.site_information_settings',
])

test.each(listTemplates().map((template) => [template.id, template] as const))(
  '%s uses existing routes and has text in every step',
  (_id, { label, description, routes, tips }) => {
    expect(label).not.toBe('')
    expect(description.length).toBeGreaterThan(40)
    for (const { route_name } of routes) {
      expect(knownRoutes).toContain(route_name)
      if (routes.length > 1)
        expect(
          tips.some(({ route }) => route === route_name),
          route_name,
        ).toBe(true)
    }
    expect(new Set(tips.map(({ id }) => id)).size).toBe(tips.length)
    expect(tips.map(({ weight }) => weight)).toEqual(tips.map((_tip, index) => index + 1))
    for (const { body, selector, location, candidates } of tips) {
      expect(cleanBody(body)).toBe(body)
      expect(body.length).toBeGreaterThan(30)
      expect(location === 'center').toBe(selector === '')
      for (const each of [selector, ...candidates].filter(Boolean))
        expect(checkSelector(each)).toBeUndefined()
    }
    expect(tips[0]?.location).toBe('center')
    expect(tips.at(-1)?.location).toBe('center')
  },
)
