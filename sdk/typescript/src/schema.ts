/** Every path of the platform with its parameters, bodies and responses, generated from the OpenAPI description. */
export type { paths } from '../../../console/src/api/schema.generated.ts'
