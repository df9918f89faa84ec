import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { describeUnknownModel, listModel, nativeApiVersion } from '#kernel/native-api'
import { modelsFailure } from '../../errors.ts'
import type { CatalogueEntry } from '../../gateway/catalogue-entry.ts'
import { explainFailure } from '../../gateway/explain-failure.ts'
import { findEntriesByName } from '../../gateway/find-entries.ts'
import type { RuntimeDirectory } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-failure.ts'
import { findTargetEntries } from '../../routing/resolve-route.ts'
import {
  listAccess,
  listNamedModels,
  type ModelDirectory,
  type NamedModel,
  requireListScope,
} from '../model-directory.ts'
import { maxModelNameLength } from '../requests/model-name.ts'

export interface RuntimeModelOptions {
  readonly directory: ModelDirectory
  /** The runtime of the cluster's models; undefined when no provider has one. */
  readonly runtime: RuntimeDirectory | undefined
}

/** The model lists and descriptions of the runtime, with the models of all providers. */
export function addRuntimeModelRoutes(
  routes: HttpServer,
  { prefix, directory, runtime }: RuntimeModelOptions & { readonly prefix: string },
): void {
  routes.get(
    `${prefix}/tags`,
    {
      config: { access: listAccess },
      schema: {
        operationId: 'listOllamaModels',
        summary: 'List available models',
        description: 'Returns the models of all providers and the routes that can be called now.',
        response: { 200: modelList },
      },
    },
    async ({ principal }, reply) => {
      requireListScope(principal)
      const [models, entries] = await Promise.all([
        listNamedModels(directory, principal.limits),
        runtime?.list('tags'),
      ])
      const known = new Map((entries ?? []).map((entry) => [entry.name, entry]))
      return reply.header('cache-control', 'no-store').send({
        models: models.map((model) => describeModel(model, known.get(model.model.id))),
      })
    },
  )

  routes.get(
    `${prefix}/ps`,
    {
      config: { access: listAccess },
      schema: {
        operationId: 'listLoadedOllamaModels',
        summary: 'List loaded models',
        description: 'Returns the models that nodes of the cluster have in memory.',
        response: { 200: modelList },
      },
    },
    async ({ principal }, reply) => {
      requireListScope(principal)
      const entries = (await runtime?.list('ps')) ?? []
      return reply
        .header('cache-control', 'no-store')
        .send({ models: entries.map(({ nodes: _nodes, ...entry }) => ({ model: entry.name, ...entry })) })
    },
  )

  routes.get(
    `${prefix}/version`,
    {
      config: { access: listAccess },
      schema: {
        operationId: 'getOllamaVersion',
        summary: 'Get the API version',
        response: {
          200: Type.Object(
            { version: Type.String() },
            { description: 'The version of the runtime whose API the gateway has.' },
          ),
        },
      },
    },
    () => ({ version: nativeApiVersion }),
  )

  routes.post(
    `${prefix}/show`,
    {
      config: { access: listAccess },
      schema: {
        operationId: 'showOllamaModel',
        summary: 'Describe a model',
        description:
          'Returns the details of a model; for a route, those of its first target. Those of a model of the cluster come from one of its nodes; for other models, unknown fields are empty.',
        body: showRequest,
        response: {
          200: Type.Object({}, { additionalProperties: true, description: 'The details of the model.' }),
        },
      },
    },
    async (request, reply) => {
      requireListScope(request.principal)
      const { model, name: olderName, ...others } = request.body
      const name = model ?? olderName
      if (name === undefined) throw missingModel()
      const [known, named] = await Promise.all([directory.find(), directory.routes()])
      const route = named.get(name)
      const [entry] =
        route === undefined
          ? findEntriesByName(name, known)
          : findTargetEntries(route, known, request.principal.limits)
      if (entry === undefined) {
        throw modelsFailure('model_not_found', { message: `The model "${name}" was not found.` })
      }
      void reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
      if (entry.provider !== 'ollama' || runtime === undefined) return reply.send(describeOtherModel(entry))
      try {
        const { signal } = request.server.terminating
        return await reply.send(await runtime.show({ ...others, model: entry.model.id }, signal))
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        throw explainFailure(error, { provider: entry.provider, model: entry.model.id, begun: false })
      }
    },
  )
}

const modelList = Type.Object(
  {
    models: Type.Array(
      Type.Object({ name: Type.String(), model: Type.String() }, { additionalProperties: true }),
    ),
  },
  { description: 'The models, ordered by name.' },
)

const modelName = Type.Optional(Type.String({ minLength: 1, maxLength: maxModelNameLength }))

const showRequest = Type.Object(
  {
    model: modelName,
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxModelNameLength, description: 'The older name of `model`.' }),
    ),
    verbose: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: true },
)

function missingModel() {
  return kernelFailure('invalid_input', {
    message: 'model is required.',
    problems: [{ path: 'model', message: 'is required', code: 'required' }],
  })
}

/** A model as the runtime lists it; the fields of a model of the cluster are those of its node. */
function describeModel({ name, provider, model }: NamedModel, listed: object = {}) {
  const ofNode = provider === 'ollama' ? { ...listed, nodes: undefined } : {}
  const { id, created, size } = model
  return {
    ...listModel({ id: `${provider}/${id}`, name, family: provider, created, size }),
    ...ofNode,
    name,
    model: name,
  }
}

/** The description of a model that no node of the cluster has. */
function describeOtherModel({ provider, model }: CatalogueEntry) {
  return describeUnknownModel({ ...model, family: provider })
}
