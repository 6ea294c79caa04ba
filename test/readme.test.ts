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

  // The faults of the cluster come last in the table. Orders, events and intruders have tables of their own, or create no pets.
  const faults = measured('reliability', 'matrix')
  const cluster = faults
    .slice(faults.findIndex(([, fault]) => fault === 'primary-kill'))
    .filter(([, fault = '']) => !['orders', 'feed', 'intruder'].includes(fault))
  const sum = (column: number) =>
    cluster.reduce((total, cells) => total + Number((cells[column] ?? '').replaceAll(',', '')), 0)
  const [acknowledged, lost, twice] = [sum(5), sum(6), sum(7)]
  assert.equal(twice, 0)

  const throughput = measured('performance', 'throughput')
  const at64 = (operation: string) => throughput.find((cells) => cells[1] === operation && cells[2] === '64') ?? []
  const [create, get] = [at64('create'), at64('get')]
  const [, caught] = /\*\*(\d+ of \d+) caught\*\*/.exec(read('mutants')) ?? []

  assert.deepEqual(numbers, [
    `${lost} of ${acknowledged.toLocaleString('en')}`,
    create[4],
    `${create[5]}×`,
    get[4],
    `${get[5]}×`,
    caught,
  ])
})
