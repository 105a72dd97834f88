/** The tree of RFC 6962 by the roots that its implementations share, and every path of every small tree. */
import assert from 'node:assert/strict'
import { leafOf, pathOf, rootFrom, rootOf } from '../../../schemas/attest/merkle.js'

const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map((text) => Buffer.from(text, 'hex'))
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('a Merkle tree', () => {
  it('has the roots that others compute', () => { for (const [size, root] of roots.entries()) assert.equal(rootOf(inputs.slice(0, size).map(leafOf)).toString('hex'), root) })

  it('every leaf of every tree up to 40 has a path to the root, and no other leaf, place, size or path does', () => {
    const all = Array.from({ length: 40 }, (_, at) => leafOf(Buffer.of(at)))
    for (let size = 1; size <= all.length; size += 1) {
      const leaves = all.slice(0, size)
      const root = rootOf(leaves).toString('hex')
      for (const [index, leaf] of leaves.entries()) {
        const path = pathOf(index, leaves)
        assert.equal(rootFrom(leaf, index, size, path)?.toString('hex'), root)
        assert.notEqual(rootFrom(leafOf(Buffer.from('another')), index, size, path)?.toString('hex'), root)
        assert.notEqual(rootFrom(leaf, (index + 1) % size, size, path)?.toString('hex'), size === 1 ? '' : root)
        assert.equal(rootFrom(leaf, index, size, [...path, leaf]), null)
        if (path.length > 0) assert.equal(rootFrom(leaf, index, size, path.slice(1)), null)
      }
    }
    for (const [index, size] of [[-1, 3], [3, 3], [0.5, 3], [Number.NaN, 3], [0, 0]] as const) assert.equal(rootFrom(all[0]!, index, size, []), null)
  })

  it('a node does not pass for a leaf', () => {
    const [left, right] = [leafOf(Buffer.of(1)), leafOf(Buffer.of(2))]
    assert.notEqual(leafOf(Buffer.concat([left, right])).toString('hex'), rootOf([left, right]).toString('hex'))
  })
})
