import { Type } from 'typebox'
import type { DatabaseState } from '../../domain/readiness.ts'
import { BETA, Moment } from '../wire/schemas.ts'

const STATES: DatabaseState[] = ['ok', 'lost', 'stalled', 'read_only', 'schema_outdated', 'rights_missing']

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

export const Status = Type.Object(
  {
    version: Type.String({
      description: 'The version of the program. Between releases it ends with `-dev` and the commit.',
      examples: ['1.1.0'],
    }),
    commit: Type.String({
      description: 'The commit that it was built from; `unknown` if the build has not stored it.',
      examples: ['8f14e45fceea167a5a36dedd4bea2543c1d2e3f4'],
    }),
    startedAt: Moment('When this process was started.', '2026-11-16T06:00:00.000Z'),
    database: Type.Object(
      {
        state: Type.Unsafe<DatabaseState>({
          type: 'string',
          enum: STATES,
          description:
            '`ok`: everything works. `lost`: it does not respond. `stalled`: it can be read, but acknowledges no change, since its standby is down. `read_only`: it takes no changes. `schema_outdated`: migrations of this version were not applied. `rights_missing`: the role of the service lacks rights.',
          examples: ['ok'],
        }),
        detail: Type.Optional(
          Type.String({
            description: 'What is wrong and what to do, for the operator. Absent if there is nothing more to say.',
            examples: ['The database schema is older than this program. Run `petstore migrate`.'],
          }),
        ),
      },
      { description: 'Whether this process can use its database.' },
    ),
    feed: Type.Object(
      {
        lagMs: Type.Integer({
          minimum: 0,
          description:
            'How many milliseconds ago this process last found every event in the feed: below 1000 while events appear as they happen.',
          examples: [200],
        }),
      },
      { description: 'The feed of events.' },
    ),
    search: Type.Optional(
      Type.Object(
        {
          isComplete: Type.Boolean({ description: 'Whether every pet can be found by its name.', examples: [true] }),
          foundPercent: Type.Integer({
            minimum: 0,
            maximum: 100,
            description: 'How many of 100 pets can be found by name: below 100 while their words are being made.',
            examples: [100],
          }),
        },
        { description: 'The search by name. Absent if the database does not respond in time.' },
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          active: count('How many are active.', 2),
          paused: count('How many are paused.', 0),
          disabled: count('How many the service has disabled.', 1),
          undelivered: count('How many active ones no process has delivered for in the last 30 seconds.', 0),
          behind: count('How many events the active one that is the furthest behind has yet to receive.', 12),
        },
        { description: 'The webhooks, by state. Absent if the database does not respond in time.' },
      ),
    ),
    expiringKeys: Type.Optional(
      count(
        'How many keys expire within 30 days and were not rotated. 1000 stands for 1,000 or more. Absent if the database does not respond in time.',
        3,
      ),
    ),
  },
  { $id: 'Status', description: 'How the service is doing, as the process that responds knows it.', ...BETA },
)

const PROCESS = {
  version: '1.1.0',
  commit: '8f14e45fceea167a5a36dedd4bea2543c1d2e3f4',
  startedAt: '2026-11-16T06:00:00.000Z',
}

export const EXAMPLES = {
  working: {
    ...PROCESS,
    database: { state: 'ok' },
    feed: { lagMs: 200 },
    search: { isComplete: true, foundPercent: 100 },
    webhooks: { active: 2, paused: 0, disabled: 1, undelivered: 0, behind: 12 },
    expiringKeys: 3,
  },
  lost: { ...PROCESS, database: { state: 'lost' }, feed: { lagMs: 4_700 } },
}
