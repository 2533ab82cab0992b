import Foundation

/// Small WebP files, which libwebp made of known pixels: there is no writing them by hand.
package enum TestWebP {
  /// 30×20 of `(8x, 12y, 128)`, opaque, coded with losses and 4:2:0.
  package static let lossy = bytes(
    """
    UklGRrYAAABXRUJQVlA4IKoAAAAQBgCdASoeABQAPhUIg0EhBv0ABABRLUATplCOkvAPwW5AzfLuNhyCd/iUHpgr
    HQSzFvejRVdUfDAA/v/+Yaj1nTv6tsf/vpNFO4m742QB8P/0LdesoG9Z2Yo2pm//5V7/FYz9fWa8/Xr3n6ODiZkX
    I1piuz94oLH8bHKSrzytbpAWyUVVukBuj8pzVG9fVKnqI9jg2lSxwboMHuBbWBX8A10IE3IFPNAAAA==
    """)
  /// The same with alpha 0 where x < 3, 255 within 8 pixels of (15, 10), else 90.
  package static let lossyAlpha = bytes(
    """
    UklGRgQBAABXRUJQVlA4WAoAAAAQAAAAHQAAEwAAQUxQSDkAAAABFyAQSPLcn2ONiAgHRZEkNX/8DUkNJk4C0WYO
    BiL6PwGhDdURZOChdhriGiB/aIhrHmrXkDboFwAAVlA4IKQAAAAQBgCdASoeABQAPjESh0KiIQ39VgAQAYJagCdM
    oRwN4B+IHIGRAhQHPgAHkmUsKBBDx1G4OgTb8jgA/v7BL0QSmpmPHcxAROBfeizIhuw8/9hczIncFKexS7K/m8cf
    nFViTgd4BGOgq6xQCgEOhhSEGHk8AtsL1LMorb8D67P55CW4f6NxCtQqrNfmtbI4xmB9imUPjkx+m8xoAMBRjL0D
    1AAAAA==
    """)
  /// That without losses.
  package static let lossless = bytes(
    """
    UklGRpAAAABXRUJQVlA4TIQAAAAvHcAEEE2ISRP227+xHSL6H+ELgCD8f3sYkAHvfxCAg6K2kRwDWP6A93p9M2oj
    yZE3N4TljzHcPQUCSehDD0AgCJGb7PNTkdu2DTM6jm1egQDYVVgIAAgDADjIoCZeExvyowDNrtmMDg5Qqpuj62VZ
    g+wI/NncO281/t+B8Wz0jedqGwE=
    """)
  /// 16×12 of noise without losses.
  package static let noise = bytes(
    """
    UklGRtIDAABXRUJQVlA4TMYDAAAvD8ACEP/luLb2REkyczKOu6505WtogG7oiR5oAnbu7u7E2nAcAIDZxFZtu09v
    0p06RqfRz7ZtXgRXAACDyvHZtt+q3NjH9HtN7d6abNvuDDi0bZt2vm0ztm2rsm3bNuuMX8VOyj9uFSeVbdu2OQIS
    2O2tQwcVakdXWKrGnSpdXp5fj8Xwo5/e8ueKZJX2QOn2gEZRLW6GqCEI0XGV/6t8CKWIJzinfbVPzuLo+FdzOti8
    bk0sSr5/WgxktcA3K0EQ4e3TTP7LK9ddBpr4g+52p1yDM8CbrQRFFjcGq7B3QS4NjEJYjPwCvbj5+2SMINq4/j8y
    OLuhWKp5Gr5PKTKNo0Ai+kTuv+2H0k0anE7QQuvu+rn/PpBLSshIG36Tfj3+gqcuxOqWI84qHl0ALAOwTB/eu8A5
    m5S66iTwZ/4kOJUHmx5HpBwmFEt87vyDVGbjsNQhNjDyVXx19JjCBJRgrgvcp34DEIUl4u8lmBrDPsPLMuOh7Z0D
    OCYiW5rPXarYbnf8GSfqwftD8DWk7ZbF80uOv/5EUeVgVHu8HeKAjRwjgXrkeIJRLJbc/8WWX2Z2qFq+J11Y0ETk
    vShwz+1ig+/5Jd98bTwS29CxDAZdOwfbf/6SSR2J6zmiyfQ/ZglL9s7LuZ/cILUOXOtUxsbJ+27f692ArOOnFKhj
    +NlEbKBUKGW2OXf/qwSiZE/RrI8t5L/x/LteRboqvyraboOr8Tf1Og2RXw0fnK3vQ6H1J80jQU90akOASAE4cCcK
    98cNABmtem3NwKyMHtJWpCTc55iVhW8iHTpOp4fyOTrHZByn8KIO2fAmhEf4Lw/4Y0Wq/XmjzJklyteEPg1wowfQ
    FbkT9bv9vovaUCQ4fsLzQ25j1Ls+UutPNerAloXCEUyPeepZwyqw3Mv1bDRO80Vb3Zxq32M1u6pChdv0FIjG+saO
    /RP/E4GZKIHqklaivyfEfhfNNtomrqj7batEg2N30UjujGXVFlh+9DHbZlxENMq347XiMgsQAwAgmMy2bdtGtm3b
    tm3btu3ejOh/LMVOweOrvhxXSL8tuPHuxvyvWP2Vn3Wr2g1lP4jInSf9iDJ7a6yJhyc0C7R9WRW95Otw3Ke3Now+
    GhGjo6ajJ/c/EjuiXwujAEz7kbSg35gxy2mrJC5DU0qF98WLg6Tp07g9D8yaVJKjPphHmcbrH9b4L8kBjLS/AWyn
    KLfFEio+L+Lmtw7RTsA1c+y67/KVy8PMXZkmqPrY53pz9yRMPG5sSyCsmZD1iwbn8G3X8ztlMy8wdQEExAA=
    """)
  /// An animation.
  package static let animation = bytes(
    """
    UklGRqACAABXRUJQVlA4WAoAAAACAAAAHwAAFwAAQU5JTQYAAAD/////AQBBTk1GuAEAAAAAAAAAAB8AABcAAJAB
    AAJWUDggoAEAADAKAJ0BKiAAGAA+kTiXR6WjIiEwCACwEglsAJ0yhH43nPDnxN/CXdEoA8gPW5znfeL/7l7Gfoc9
    KxMJiI5/w/LRmb9U0bilLTc6hlFOfgtQMTJiu702rrhpAAD+80PxPdzYUQqu/UhQ/7C3xWhiyrBdE5869+jL8zP5
    lmBy2/zF7+KFutZsaKvrMuWmBJTUfnJbZ3IlRV3yA67/V0k+jw8eW+95XssG22irWCTjDvz/+DVnr8ddHVodI/zY
    I4OF+PsaFoGtjRR0+Ixa8Tf5j72jl2P7gH01NXpDr3Avv6AmEeqtfHeBwfvtHEPCtJFnnCxc689iP1mwZRat93Rg
    3fyCcU9TytDN9NFkxji6yx5Ho0LmPOnnPy79/8cFSSjG6tdXfgKsNXtsT5uLL99EKz4DeKc4pCDuCr+J0yypf4nJ
    PeDb+Jqu+sbzN/1zp/cdhiTvt7/C4opmSc1UXg5w7/JS5/HUfOK22hSBcvhnnaGqKj/41udjX69mWv41udjX7pGf
    /DtWCiPZUxcDhWjFx81PAO1/8GcS2JCf/BnCAAAAQU5NRrQAAAAAAAAAAAAKAAAKAADIAAAAVlA4IJwAAAD0AgCd
    ASoLAAsAAAA0JbACdLoAngD0ACC8Fi2WU7n9AAD+99qVS4ZDEt6RmWZ0hSur2avwHF83Vwg2fd0s3h4a/H7PpUs/
    hUBYiUWzIVnyf78+qyPkf+FXNkR/9LCa7TXvmzR/m/+LIoNR3B/tJ9TLUcCvub/j4Ct4G//Lk/85lx+mT4/7297q
    l2bv7R/nds3/AZsE7Y39qOMigAA=
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters)!)
  }
}
