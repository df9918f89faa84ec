import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { originOf } from '../security-events.ts'
import type { ChangePassword } from '../users/change-password.ts'
import { userFields } from '../users/user-fields.ts'
import { callerOf } from './caller.ts'

export function addPasswordRoute(routes: HttpServer, changePassword: ChangePassword): void {
  routes.post(
    '/api/v1/user/password',
    {
      config: { access: { signedIn: true } },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Ends all your other sessions and token sign-ins; the current one stays. A wrong current password counts as a failed sign-in attempt.',
        body: Type.Object(
          {
            current_password: Type.String({ minLength: 1, maxLength: 1024 }),
            new_password: userFields.password,
          },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null({ description: 'Changed.' }) },
      },
    },
    async (request, reply) => {
      const { id: userId, username, current } = callerOf(request)
      const { current_password: currentPassword, new_password: newPassword } = request.body
      const origin = originOf(request)
      await changePassword({ userId, username, currentPassword, newPassword, current, origin })
      return reply.code(204).send(null)
    },
  )
}
