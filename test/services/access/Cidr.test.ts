import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { clientAddress, inRanges, parseRange } from "../../../src/services/access/Cidr.ts"

const octets = FastCheck.tuple(FastCheck.nat(255), FastCheck.nat(255), FastCheck.nat(255), FastCheck.nat(255))
const groups = FastCheck.array(FastCheck.nat(0xffff), { minLength: 8, maxLength: 8 })
const asIPv6 = (parts: ReadonlyArray<number>) => parts.map((part) => part.toString(16)).join(":")
const numberOf = (parts: ReadonlyArray<number>, bits: bigint) =>
  parts.reduce((sum, part) => (sum << bits) + BigInt(part), 0n)

describe("an address range", () => {
  it.prop("holds exactly the IPv4 addresses that share its first bits", [octets, octets, FastCheck.nat(32)], (t) => {
    const [network, address, bits] = t
    const rest = BigInt(32 - bits)
    const expected = numberOf(network, 8n) >> rest === numberOf(address, 8n) >> rest
    assert.strictEqual(inRanges(address.join("."), [`${network.join(".")}/${bits}`]), expected)
    assert.strictEqual(inRanges(`::ffff:${address.join(".")}`, [`${network.join(".")}/${bits}`]), expected)
    assert.strictEqual(inRanges(address.join("."), [`::ffff:${network.join(".")}/${bits + 96}`]), expected)
  })

  it.prop("holds exactly the IPv6 addresses that share its first bits", [groups, groups, FastCheck.nat(128)], (t) => {
    const [network, address, bits] = t
    // Mapped ones count as IPv4.
    network[0] = 0x2001
    address[0] = 0x2001
    const rest = BigInt(128 - bits)
    const expected = numberOf(network, 16n) >> rest === numberOf(address, 16n) >> rest
    assert.strictEqual(inRanges(asIPv6(address), [`${asIPv6(network)}/${bits}`]), expected)
  })

  it("of one address holds that one, in any spelling", () => {
    assert.isTrue(inRanges("192.0.2.1", ["192.0.2.1"]))
    assert.isFalse(inRanges("192.0.2.2", ["192.0.2.1"]))
    assert.isTrue(inRanges("2001:DB8:0:0::1", ["2001:db8::1"]))
    assert.isFalse(inRanges("2001:db8::2", ["2001:db8::1"]))
    assert.isTrue(inRanges("::ffff:192.0.2.1", ["192.0.2.1"]))
    assert.isTrue(inRanges("192.0.2.1", ["::ffff:192.0.2.1"]))
  })

  it("of all IPv6 addresses holds no IPv4 address", () => {
    assert.isFalse(inRanges("192.0.2.1", ["::/0"]))
    assert.isFalse(inRanges("2001:db8::1", ["0.0.0.0/0"]))
  })

  it("is an address or CIDR, in the plain spelling only", () => {
    for (const good of ["10.0.0.0/8", "10.1.2.3/8", "0.0.0.0/0", "::/0", "::1", "fe80::1/64", "192.0.2.1"]) {
      assert.isNotNull(parseRange(good), good)
    }
    for (const bad of ["", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0/8", "10/8", "example.org"]) {
      assert.isNull(parseRange(bad), bad)
    }
    for (const bad of [
      "10.0.0.0/8/8",
      "010.0.0.1",
      "0x0a.0.0.1",
      "167772161",
      " 10.0.0.1",
      "fe80::1%eth0",
      "10.0.0.1/"
    ]) {
      assert.isNull(parseRange(bad), bad)
    }
  })

  it.prop("is never matched by what is no address", [FastCheck.string()], ([text]) => {
    if (parseRange(text) === null) assert.isFalse(inRanges(text, ["0.0.0.0/0", "::/0"]))
  })
})

describe("the client's address", () => {
  const proxies = ["10.0.0.0/8", "fd00::/8"]

  it("is the socket's when no proxy is trusted, whatever a header claims", () => {
    assert.strictEqual(clientAddress("198.51.100.1", "203.0.113.1", []), "198.51.100.1")
    assert.strictEqual(clientAddress("198.51.100.1", "203.0.113.1", proxies), "198.51.100.1")
    assert.strictEqual(clientAddress("::ffff:198.51.100.1", undefined, []), "198.51.100.1")
  })

  it("behind trusted proxies is the right-most hop that is none of them", () => {
    const forwarded = "203.0.113.1, 198.51.100.7, 10.0.0.2"
    assert.strictEqual(clientAddress("10.0.0.1", forwarded, proxies), "198.51.100.7")
    assert.strictEqual(clientAddress("::ffff:10.0.0.1", "198.51.100.7,fd00::2", proxies), "198.51.100.7")
    assert.strictEqual(clientAddress("fd00::1", "2001:DB8::7", proxies), "2001:db8::7")
  })

  it("cannot be established from garbage, nor when every hop is a proxy", () => {
    for (const forwarded of [
      undefined,
      "",
      "unknown",
      "10.0.0.2",
      "203.0.113.1, nonsense",
      "203.0.113.1,",
      "_hidden"
    ]) {
      assert.isNull(clientAddress("10.0.0.1", forwarded, proxies), forwarded)
    }
    assert.isNull(clientAddress("10.0.0.1", "203.0.113.1:4711", proxies))
    assert.isNull(clientAddress(undefined, "203.0.113.1", proxies))
  })

  it.prop("is not moved by what the client writes to the left", [FastCheck.string()], ([claimed]) => {
    assert.strictEqual(clientAddress("10.0.0.1", `${claimed},198.51.100.7`, proxies), "198.51.100.7")
  })
})
