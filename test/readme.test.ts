import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** What the command has written between the marks of this name in a report: its rows, cell by cell. */
function measured(report: string, name: string) {
  const [, block = ''] = new RegExp(`<!-- ${name} -->(.*?)<!-- /${name} -->`, 's').exec(read(report)) ?? []
  return block.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
}

function read(report: string) {
  return readFileSync(`docs/reports/${report}.md`, 'utf8')
}

test('README has the numbers that were measured last', () => {
  const [, table = ''] = /<!-- numbers.*?-->(.*?)<!-- \/numbers -->/s.exec(readFileSync('README.md', 'utf8')) ?? []
  const numbers = Array.from(table.matchAll(/\*\*(.+?)\*\*/g), ([, number]) => number)

  const upgrade = measured('reliability', 'matrix').find(([, fault]) => fault === 'upgrade') ?? []
  const [, , , , , , lost, twice, failed, , , also = ''] = upgrade
  const [, requests] = /requests ([\d,]+)/.exec(also) ?? []
  assert.deepEqual([lost, twice], ['0', '0'])

  const throughput = measured('performance', 'throughput')
  const at64 = (operation: string) => throughput.find((cells) => cells[1] === operation && cells[2] === '64') ?? []
  const [create, get] = [at64('create'), at64('get')]
  const scale = measured('scaling', 'scale')
  const growthOf = (operation: string) => scale.find((cells) => cells[1] === operation)?.[2]

  assert.deepEqual(numbers, [
    `${failed} of ${requests}`,
    create[4],
    `${create[5]}×`,
    get[4],
    `${get[5]}×`,
    growthOf('get'),
    growthOf('list'),
  ])
})
