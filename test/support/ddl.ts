/** A migration as the rules see it: comments and texts are gone, everything is in small letters. */
interface Script {
  /** Outside of a transaction, statement by statement. */
  alone: boolean
  /** What it says nobody uses any more, and since which version. */
  contracted: string
  /** In order; each action of an `alter table` is a statement of its own. */
  statements: string[]
}

interface Rule {
  name: string
  /** What to do instead, and why. */
  says: string
  refuses: (statement: string, script: Script) => boolean
  /** Holds for tables that the same file creates, too; on others nobody waits for anything. */
  alsoNew?: boolean
}

const ADD_COLUMN = /^alter table \S+ add (?:column )?(?!column|constraint|check|foreign|unique|primary|exclude)/
/** What PostgreSQL keeps beside the table instead of writing it into each row. Texts have become ''. */
const CONSTANT_DEFAULT =
  / default (?:-?[\d.]+|''|true|false|null|now ?\( ?\)|current_timestamp|current_date)(?: ?:: ?[\w[\]]+)?(?= not null| null|$)/
const CONCURRENT_INDEX = /^create (?:unique )?index concurrently (?<name>\S+) on /
/** What can be done a second time after it was interrupted. */
const REPEATABLE =
  /^(?:drop index concurrently if exists |create (?:unique )?index concurrently |reindex \w+ concurrently |alter table \S+ validate |analyze)/
const KNOWN =
  /^(?:create (?:table|sequence|view|(?:unique )?index)|alter sequence|drop|insert into|update|delete from|comment on|analyze|reindex|alter table \S+ (?:add|drop|alter|validate|rename|set(?= ?\()))\b/

const REMOVAL =
  /^(?:alter table (?<table>\S+) drop (?:column |constraint )?(?:if exists )?(?<part>\S+)|drop (?!index)\w+ (?:if exists )?(?<whole>\S+))/

const RULES: Rule[] = [
  {
    name: 'index-blocks-writes',
    says: 'Build it concurrently, in a file without a transaction: else nobody can write to the table until it is built.',
    refuses: (statement) => /^create (?:unique )?index (?!concurrently )/.test(statement),
  },
  {
    name: 'concurrently-in-transaction',
    says: 'PostgreSQL refuses this inside of a transaction: put it into a file that begins with `-- no transaction`.',
    refuses: (statement, { alone }) => / concurrently /.test(statement) && !alone,
  },
  {
    name: 'not-repeatable',
    says: 'A file without a transaction may be interrupted halfway: it holds only what can be done twice.',
    refuses: (statement, { alone }) => alone && !REPEATABLE.test(statement),
    alsoNew: true,
  },
  {
    name: 'interrupted-index',
    says: 'An interrupted build leaves an index that is not valid: `drop index concurrently if exists` it first.',
    refuses: (statement, { statements }) => {
      const name = CONCURRENT_INDEX.exec(statement)?.groups?.['name']
      const dropped = statements.slice(0, statements.indexOf(statement))
      return / concurrently if not /.test(statement) || (!!name && !dropped.some((text) => text.endsWith(` ${name}`)))
    },
  },
  {
    name: 'rewriting-default',
    says: 'Only a constant default is free: any other is worked out for each row, with the table locked.',
    refuses: (statement) =>
      ADD_COLUMN.test(statement) && / default /.test(statement) && !CONSTANT_DEFAULT.test(statement),
  },
  {
    name: 'not-null-without-default',
    says: 'The rows that are there have no value, and the running version writes none: give it a constant default.',
    refuses: (statement) => ADD_COLUMN.test(statement) && / not null\b/.test(statement) && !/ default /.test(statement),
  },
  {
    name: 'constrained-column',
    says: 'The table is scanned, rewritten or indexed with everybody locked out: add the column bare, then the rest by itself.',
    refuses: (statement) =>
      ADD_COLUMN.test(statement) && /\b(?:unique|primary key|references|check|generated)\b/.test(statement),
  },
  {
    name: 'changed-type',
    says: 'The table is rewritten, and the running version reads another type: add a new column, and fill it.',
    refuses: (statement) => /^alter table \S+ alter (?:column )?\S+ (?:set data )?type /.test(statement),
  },
  {
    name: 'set-not-null',
    says: 'The table is scanned with everybody locked out: `add constraint … check (… is not null) not valid` says the same.',
    refuses: (statement) => /^alter table \S+ alter (?:column )?\S+ set not null/.test(statement),
  },
  {
    name: 'constraint-scans',
    says: 'Add it `not valid`, which locks for a moment only, and `validate constraint` in a later file; a key takes `using index`.',
    refuses: (statement) =>
      /^alter table \S+ add (?:constraint \S+ )?(?:check|foreign|unique|primary|exclude)\b/.test(statement) &&
      !/ not valid$| using index /.test(statement),
  },
  {
    name: 'validated-too-early',
    says: 'Here the lock that added the constraint is held while the table is scanned: validate it in a later file.',
    refuses: (statement, { alone, statements }) =>
      / validate constraint /.test(statement) && !alone && statements.some((text) => text.endsWith(' not valid')),
  },
  {
    name: 'renamed',
    says: 'The running version still asks for the old name: add the new one, fill it, and contract later.',
    refuses: (statement) => / rename /.test(statement),
  },
  {
    name: 'references-locks',
    says: 'The table that is referred to can’t be written to until all is committed: add the column bare, and look it up instead.',
    refuses: (statement, { statements }) => {
      const table = / references (?<table>[^\s(]+)/.exec(statement)?.groups?.['table']
      return table !== undefined && !statements.some((text) => text.startsWith(`create table ${table} `))
    },
    alsoNew: true,
  },
  {
    name: 'removed-too-early',
    says: 'The running version may use it: write `-- contract: pets.colour, unused since 1.2.3` at the top once no version does.',
    refuses: (statement, { contracted }) => {
      const { table, part, whole } = REMOVAL.exec(statement)?.groups ?? {}
      const removed = whole ?? (part && `${table}.${part}`)
      return removed !== undefined && !contracted.split(/[\s,]+/).includes(removed)
    },
  },
  {
    name: 'index-dropped-under-lock',
    says: 'It waits for everybody, and everybody for it: `drop index concurrently`, in a file without a transaction.',
    refuses: (statement) => /^drop index (?!concurrently )/.test(statement),
  },
  {
    name: 'all-rows-at-once',
    says: 'The rows stay locked, and the old ones in place, until all are done: let the next version fill them in parts.',
    refuses: (statement) => /^(?:update|delete) /.test(statement),
  },
  {
    name: 'own-transaction',
    says: 'The runner begins and commits, together with the note that the file was applied.',
    refuses: (statement) => /^(?:begin|start|commit|end|rollback|abort|savepoint)\b/.test(statement),
    alsoNew: true,
  },
  {
    name: 'own-settings',
    says: 'The runner sets lock_timeout, and tries again; whatever else a file sets would stay for the next one.',
    refuses: (statement) => /^(?:set|reset)\b/.test(statement),
    alsoNew: true,
  },
  {
    name: 'identity-or-trigger',
    says: 'Ids come from explicit sequences, which a sandbox starts elsewhere and a move sets; a trigger would run for rows that replication brings, too.',
    refuses: (statement) =>
      /\b(?:small|big)?serial\b|\bas identity\b|^create (?:constraint )?trigger\b/.test(statement),
    alsoNew: true,
  },
  {
    name: 'unknown',
    says: 'Nobody has thought about the locks of this yet: do so, and let test/support/ddl.ts know it.',
    refuses: (statement) =>
      !KNOWN.test(statement) && !RULES.some(({ name, refuses }) => name !== 'unknown' && refuses(statement, NOTHING)),
    alsoNew: true,
  },
]

export const RULE_NAMES = RULES.map(({ name }) => name)

const NOTHING: Script = { alone: false, contracted: '', statements: [] }

/** What in a migration would hold up, or break, the version that runs meanwhile: `rule: statement. What to do`. */
export function dangersIn(sql: string) {
  const script = read(sql)
  const created = new Set(
    script.statements.flatMap((text) => /^create table (?:if not exists )?([^\s(]+)/.exec(text)?.[1] ?? []),
  )
  return script.statements.flatMap((statement) => {
    const isNew = created.has(tableOf(statement) ?? '')
    return RULES.filter(({ alsoNew, refuses }) => (alsoNew || !isNew) && refuses(statement, script)).map(
      ({ name, says }) => `${name}: ${statement.slice(0, 80)}. ${says}`,
    )
  })
}

function read(sql: string): Script {
  // In one go: what looks like a comment inside of a text is none, nor the other way round.
  const plain = sql.replaceAll(/--[^\n]*|\/\*.*?\*\/|'[^']*'|(\$\w*\$).*?\1/gs, (text) =>
    /^['$]/.test(text) ? "''" : ' ',
  )
  const statements = plain.split(';').map((text) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase())
  return {
    alone: sql.startsWith('-- no transaction'),
    contracted: /^-- contract: (?<what>.+) since \d+\.\d+\.\d+/m.exec(sql)?.groups?.['what']?.toLowerCase() ?? '',
    statements: statements.filter(Boolean).flatMap(actionsOf),
  }
}

/** `alter table t a, b` does a and b. */
function actionsOf(statement: string) {
  const { head, actions } =
    /^(?<head>alter table) (?:if exists )?(?:only )?(?<actions>.+)$/.exec(statement)?.groups ?? {}
  if (head === undefined || actions === undefined) return [statement]
  const [table = '', ...rest] = actions.split(' ')
  // Not those inside of parentheses, of which these may have one level inside another.
  const parts = rest.join(' ').match(/(?:[^,(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []
  return parts.map((part) => `${head} ${table} ${part.trim()}`)
}

function tableOf(statement: string) {
  return /^(?:alter table|update|delete from|insert into|create (?:unique )?index.*? on(?: only)?) ([^\s(]+)/.exec(
    statement,
  )?.[1]
}
