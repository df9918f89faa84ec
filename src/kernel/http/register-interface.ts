import type { HttpServer } from './http-server.ts'
import type { InterfaceDefinition } from './interface-definition.ts'
import { interfaceOfPath } from './interface-definition.ts'

/** Registers an interface's routes: they speak with its errors and appear in its OpenAPI description. */
export async function registerInterface(
  app: HttpServer,
  definition: InterfaceDefinition,
  addRoutes: (routes: HttpServer) => void | Promise<void>,
): Promise<void> {
  app.interfaces.push(definition)
  await app.register(async (scope) => {
    const routes = scope as unknown as HttpServer
    routes.addHook('onRoute', (route) => {
      if (interfaceOfPath([definition], route.url) === undefined) {
        throw new Error(`${route.url} is outside the paths of the ${definition.name} interface`)
      }
      route.config = { ...route.config, interfaceName: definition.name }
      route.schema = { ...route.schema, tags: [definition.name] }
    })
    await addRoutes(routes)
  })
}
