import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress, ownNetwork, parseNetworks } from '../../src/lib/client-address.ts'

const PROXIES = parseNetworks('10.0.0.254, 10.1.0.0/16,fd00::/8')

const CALLS: [
  name: string,
  peer: string,
  forwardedFor: string | undefined,
  proxies: typeof PROXIES,
  client: string | undefined,
][] = [
  ['without proxies the peer counts', '192.0.2.1', undefined, undefined, '192.0.2.1'],
  ['without proxies nobody may say who it is', '192.0.2.1', '203.0.113.7', undefined, '192.0.2.1'],
  ['a stranger may not say who it is', '192.0.2.1', '203.0.113.7', PROXIES, '192.0.2.1'],
  ['a proxy tells who called it', '10.0.0.254', '203.0.113.7', PROXIES, '203.0.113.7'],
  ['a proxy that tells nothing leaves it open', '10.0.0.254', undefined, PROXIES, undefined],
  [
    'what a caller wrote before the proxy did is not believed',
    '10.0.0.254',
    '1.2.3.4, 203.0.113.7',
    PROXIES,
    '203.0.113.7',
  ],
  ['a row of proxies is followed', '10.0.0.254', '1.2.3.4,203.0.113.7,10.1.2.3', PROXIES, '203.0.113.7'],
  ['only proxies leave it open', '10.0.0.254', '10.1.2.3', PROXIES, undefined],
  ['noise leaves it open', '10.0.0.254', '203.0.113.7, unknown', PROXIES, undefined],
  ['an empty header leaves it open', '10.0.0.254', '', PROXIES, undefined],
  ['a port is left out', '10.0.0.254', '203.0.113.7:5123', PROXIES, '203.0.113.7'],
  ['a port of IPv6 too', '10.0.0.254', '[2001:db8::1]:443', PROXIES, '2001:db8::1'],
  ['brackets without a port', '10.0.0.254', '[2001:db8::1]', PROXIES, '2001:db8::1'],
  ['IPv4 on an IPv6 socket is IPv4', '::ffff:10.0.0.254', '::ffff:203.0.113.7', PROXIES, '203.0.113.7'],
  ['proxies of IPv6', 'fd00::1', '2001:db8::7', PROXIES, '2001:db8::7'],
]
for (const [name, peer, forwardedFor, proxies, client] of CALLS) {
  test(`${name}: ${client}`, () => assert.equal(clientAddress(peer, forwardedFor, proxies), client))
}

test('networks are addresses or a prefix of them, and nothing else', () => {
  for (const text of ['x', '10.0.0.1/33', '10.0.0.1/', '10.0.0.1,', '', 'fd00::/129', '10.0.0.1/8/8', '10.0.0/8'])
    assert.equal(parseNetworks(text), undefined, text)
})

test('of IPv6 a caller has the first half, however it is written', () => {
  assert.equal(ownNetwork('203.0.113.7'), '203.0.113.7')
  assert.equal(ownNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(ownNetwork('2001:db8:1:2::6'), '2001:db8:1:2')
  assert.equal(ownNetwork('2001:db8::6'), '2001:db8:0:0')
  assert.equal(ownNetwork('::1'), '0:0:0:0')
  assert.equal(ownNetwork('2001:0DB8:0001:2::6'), '2001:db8:1:2')
  assert.equal(ownNetwork('fe80::1%eth0'), 'fe80:0:0:0')
})
