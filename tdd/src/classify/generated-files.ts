import { type FileName, isAmong } from './file-name.ts'

/** Folders that tools fill, wherever they are. */
const anywhere =
  ' node_modules bower_components vendor third_party __pycache__ .venv venv .tox .gradle .next .nuxt .svelte-kit .dart_tool .git generated __generated__ '

/** Folders that tools fill when they stand at the top of a package; deeper down, `build/` may be somebody's code. */
const atTheTop = ' dist build out target coverage obj _build deps .cache .build '

const endings = ' map pyc class o so dll exe lock '

/** `api.generated.ts`, `service.pb.go`, `app.min.js`. */
const inners = ' generated gen freezed pb designer Designer min '

const protobufForPython = /_pb2(?:_grpc)?\.pyi?$/

/** Whether a tool writes this file. */
export function isGenerated({ folders, name, ending, inner }: FileName): boolean {
  if (isAmong(atTheTop, folders[0] ?? '') || folders.some((folder) => isAmong(anywhere, folder))) return true
  if (isAmong(endings, ending) || isAmong(inners, inner) || name.startsWith('zz_generated.')) return true
  if (inner === 'g') return ending === 'dart' || ending === 'cs'
  return (ending === 'py' || ending === 'pyi') && protobufForPython.test(name)
}
