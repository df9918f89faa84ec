interface KnownRoute {
  readonly path: string
  readonly route: string
  /** The module of the route, when it is optional. */
  readonly module?: string
}

/** The pages of every supported Drupal release, by path and route name. */
const knownRoutes: readonly KnownRoute[] = [
  { path: '/', route: '<front>' },
  { path: '/admin', route: 'system.admin' },
  { path: '/admin/content', route: 'system.admin_content' },
  { path: '/admin/structure', route: 'system.admin_structure' },
  { path: '/admin/config', route: 'system.admin_config' },
  { path: '/admin/config/system/site-information', route: 'system.site_information_settings' },
  { path: '/admin/modules', route: 'system.modules_list' },
  { path: '/admin/structure/types', route: 'entity.node_type.collection', module: 'node' },
  { path: '/admin/structure/block', route: 'block.admin_display', module: 'block' },
  { path: '/admin/structure/views', route: 'entity.view.collection', module: 'views_ui' },
  { path: '/admin/people', route: 'entity.user.collection' },
  { path: '/node/add/*', route: 'node.add', module: 'node' },
  { path: '/node/add', route: 'node.add_page', module: 'node' },
]

const byPath = new Map(knownRoutes.map((known) => [known.path, known]))
const byRoute = new Map(knownRoutes.map((known) => [known.route, known]))

/** The Drupal route name of a path; an unknown path is returned unchanged. */
export function toRouteName(given: string): string {
  return byPath.get(given)?.route ?? given
}

export function isPath(routeName: string): boolean {
  return routeName.startsWith('/')
}

/** Undefined when the route is not part of a new site. */
export function findRoute(routeName: string): KnownRoute | undefined {
  return byRoute.get(routeName)
}
