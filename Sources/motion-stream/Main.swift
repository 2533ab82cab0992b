internal import MotionCore
@main struct Main { static func main() async { print("motion-stream") } }
