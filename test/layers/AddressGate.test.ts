import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAddressGate, mayConnect } from "../../src/layers/AddressGate.ts"

const gate = (names: Record<string, ReadonlyArray<string>>, allowPrivateNetwork = false) =>
  makeAddressGate({
    allowPrivateNetwork,
    resolve: (host) => {
      const found = names[host]
      return found === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(found)
    }
  })

describe("AddressGate", () => {
  const closed = [
    "127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3 100.64.0.1 224.0.0.1",
    "255.255.255.255 240.0.0.1 192.0.2.1 198.18.0.1 192.0.0.192 168.63.129.16 192.88.99.1",
    ":: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 fec0::1 2001:db8::1 2002:7f00:1:: 2001::1 100::1 5f00::1",
    "::ffff:127.0.0.1 ::ffff:a00:1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 not-an-address"
  ]
  it("closes every address that is not on the public internet", () => {
    for (const address of closed.join(" ").split(" ")) assert.isFalse(mayConnect(address, false), address)
    for (const address of ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]) {
      assert.isTrue(mayConnect(address, false), address)
    }
  })

  it.effect("returns the addresses to connect to, so that the name is not resolved again", () =>
    Effect.gen(function* () {
      const { admit } = gate({ "code.example": ["93.184.216.34", "2606:4700::1"] })
      assert.deepStrictEqual(yield* admit("code.example"), ["93.184.216.34", "2606:4700::1"])
      assert.deepStrictEqual(yield* admit("[2606:4700::1]"), ["2606:4700::1"])
    })
  )

  it.effect("rejects a host when any of its addresses is private, and says so without naming it", () =>
    Effect.gen(function* () {
      const { admit } = gate({ "mixed.example": ["93.184.216.34", "10.0.0.7"], "none.example": [] })
      const rejected = yield* Effect.flip(admit("mixed.example"))
      assert.strictEqual(rejected.reason, "not_public")
      assert.notInclude(rejected.message, "10.0.0.7")
      assert.strictEqual((yield* Effect.flip(admit("127.0.0.1"))).reason, "not_public")
      assert.strictEqual((yield* Effect.flip(admit("absent.example"))).reason, "unknown_host")
      assert.strictEqual((yield* Effect.flip(admit("none.example"))).reason, "unknown_host")
    })
  )

  it.effect("opens the private network when configured to, but never the metadata service", () =>
    Effect.gen(function* () {
      const { admit } = gate({ "git.internal": ["10.0.0.7"] }, true)
      assert.deepStrictEqual(yield* admit("git.internal"), ["10.0.0.7"])
      assert.deepStrictEqual(yield* admit("127.0.0.1"), ["127.0.0.1"])
      for (const host of ["169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"]) {
        assert.strictEqual((yield* Effect.flip(admit(host))).reason, "not_public", host)
      }
    })
  )
})
