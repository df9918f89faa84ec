/** A platform in a process of its own, with one small response behind authentication and one without. */
import { plainErrorFormat, registerApi } from '#kernel/http'
import { servePlatform } from '../platform-process.ts'

const answer = async () => ({
  id: 'a-small-answer',
  object: 'thing',
  created: 1_700_000_000,
  tags: ['one', 'two'],
})

const definition = {
  ...plainErrorFormat,
  name: 'bench',
  title: 'Benchmark',
  version: '1.0.0',
  description: 'A benchmark.',
  prefixes: ['/api/v1/open', '/api/v1/guarded'],
}

await servePlatform({
  addRoutes: (app) =>
    registerApi(app, definition, (routes) => {
      routes.get('/api/v1/open', { config: { access: { open: 'the baseline' } } }, answer)
      routes.get('/api/v1/guarded', { config: { access: { signedIn: true, scope: 'models.read' } } }, answer)
    }),
})
